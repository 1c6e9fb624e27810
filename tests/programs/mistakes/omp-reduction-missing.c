// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum without a clause in OpenMP.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#define N 100000
static double a[N];
int main(void) {
  double sum = 0;
#pragma omp target teams distribute parallel for map(to: a)
  for (int i = 0; i < N; ++i)
    // CHECK: omp-reduction-missing.c:[[@LINE+1]]:{{.*}}what line [[@LINE+1]] combines in 'sum' is lost: {{.*}}add 'reduction(+: sum)' to the construct in line [[@LINE-2]]
    sum += a[i];
  printf("%g\n", sum);
}
