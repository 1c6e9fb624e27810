// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sequential routine with a vector loop.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#define N 100
static double a[N][N];
#pragma acc routine seq
static void row(double *r) {
// CHECK: routine-level.c:[[@LINE+1]]:{{.*}}'vector' loop in a routine of a lower level
#pragma acc loop vector
  for (int j = 0; j < N; ++j) r[j] = j;
}
int main(void) {
#pragma acc parallel loop gang vector copy(a)
  for (int i = 0; i < N; ++i) row(a[i]);
  printf("%g\n", a[5][3]);
}
