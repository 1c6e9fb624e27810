// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile of two loops with a statement in between.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#define N 100
static double a[N][N];
int main(void) {
// CHECK: tile-not-nested.c:[[@LINE+1]]:{{.*}}'tile' needs 2 tightly nested loops; there is 1
#pragma acc parallel loop tile(8, 8) copy(a)
  for (int i = 0; i < N; ++i) {
    double s = i;
    for (int j = 0; j < N; ++j) a[i][j] = s;
  }
  printf("%g\n", a[5][3]);
}
