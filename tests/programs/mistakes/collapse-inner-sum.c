// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inner of two collapsed loops sums into one element.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#define N 100
static double a[N][N], x[N], y[N];
int main(void) {
  for (int i = 0; i < N; ++i) { x[i] = 1; for (int j = 0; j < N; ++j) a[i][j] = 1; }
// CHECK: collapse-inner-sum.c:[[@LINE+1]]:{{.*}}iterations run at the same time, but all iterations write 'y[i]' (line {{[0-9]+}})
#pragma acc parallel loop collapse(2) copyin(a, x) copy(y)
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) y[i] += a[i][j] * x[j];
  printf("%g\n", y[5]);
}
