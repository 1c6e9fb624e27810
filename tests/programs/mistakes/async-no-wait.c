// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An asynchronous construct, and no wait before its result is used.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  static double a[10000000];
// CHECK: async-no-wait.c:[[@LINE+1]]:{{.*}}'async', and nothing in the program waits
#pragma acc parallel loop copy(a) async
  for (int i = 0; i < 10000000; ++i)
    a[i] = i;
  printf("%g\n", a[9999999]);
}
