// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalars of OpenMP's target constructs are copies.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#define N 1000
static double a[N];
int main(void) {
  double sum = 0, last = 0;
#pragma omp target map(to: a)
  {
    // CHECK: omp-scalar-lost.c:[[@LINE+1]]:{{.*}}the value that line [[@LINE+1]] gives 'last' is lost behind the construct in line [[@LINE-2]]
    last = a[N - 1];
// CHECK: omp-scalar-lost.c:[[@LINE+1]]:{{.*}}the value that line [[@LINE+1]] gives 'sum' is lost behind the construct in line [[@LINE-4]]
#pragma omp parallel for reduction(+: sum)
    for (int i = 0; i < N; ++i)
      sum += a[i];
  }
  printf("%g %g\n", sum, last);
}
