// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gang inside vector.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#define N 100
static double a[N][N];
int main(void) {
#pragma acc parallel loop vector copy(a)
  for (int i = 0; i < N; ++i) {
// CHECK: levels-inside-out.c:[[@LINE+1]]:{{.*}}'gang' loop inside a loop of a lower level
#pragma acc loop gang
    for (int j = 0; j < N; ++j) a[i][j] = i;
  }
  printf("%g\n", a[5][3]);
}
