// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A statement between the loops that collapse joins.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  double a[10][10], s[10];
// CHECK: collapse-not-nested.c:[[@LINE+1]]:{{.*}}'collapse' needs 2 tightly nested loops; there is 1
#pragma acc parallel loop collapse(2) copyout(a, s)
  for (int i = 0; i < 10; ++i) {
    s[i] = i;
    for (int j = 0; j < 10; ++j)
      a[i][j] = i + j;
  }
  printf("%g\n", a[5][5]);
}
