// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue with a negative number.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s
// CHECK: async clause: -7 is neither a queue's number nor one of acc_async_*

// clang-format off
#include <stdio.h>
int main(void) {
  static double a[1000];
  int q = -7;
#pragma acc parallel loop copy(a) async(q)
  for (int i = 0; i < 1000; ++i)
    a[i] = i;
#pragma acc wait
  printf("%g\n", a[5]);
}
