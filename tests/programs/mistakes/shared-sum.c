// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum is copied, not reduced.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#define N 1000
static double a[N];
int main(void) {
  double s = 0;
// CHECK: shared-sum.c:[[@LINE+1]]:{{.*}}iterations combine values in 's' (line {{[0-9]+}}) at the same time, {{.*}}add 'reduction(+:s)'
#pragma acc parallel loop copyin(a) copy(s)
  for (int i = 0; i < N; ++i) s += a[i];
  printf("%g\n", s);
}
