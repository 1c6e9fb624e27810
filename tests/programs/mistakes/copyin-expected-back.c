// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array that the construct writes and copyin does not bring back.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  static double a[1000];
// CHECK: copyin-expected-back.c:[[@LINE+1]]:{{.*}}'a' is written in line {{[0-9]+}}, but 'copyin' does not copy it back: write 'copy'
#pragma acc parallel loop copyin(a)
  for (int i = 0; i < 1000; ++i)
    a[i] = i;
  printf("%g\n", a[5]);
}
