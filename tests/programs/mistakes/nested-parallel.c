// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A construct inside a construct.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  double b[10][10];
#pragma acc parallel loop copyout(b)
  for (int i = 0; i < 10; ++i) {
// CHECK: nested-parallel.c:[[@LINE+1]]:{{.*}}'parallel' may not stand in a 'parallel' construct
#pragma acc parallel loop
    for (int j = 0; j < 10; ++j)
      b[i][j] = i + j;
  }
  printf("%g\n", b[5][5]);
}
