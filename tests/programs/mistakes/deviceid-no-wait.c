// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A construct on a device of its own, and no wait at all.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  static double a[1000];
// CHECK: deviceid-no-wait.c:[[@LINE+1]]:{{.*}}'deviceid', and nothing in the program waits: add '#pragma acc wait device(1)'
#pragma acc parallel loop copy(a) deviceid(1)
  for (int i = 0; i < 1000; ++i)
    a[i] = i;
  printf("%g\n", a[999]);
}
