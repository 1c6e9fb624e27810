// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A wait for another device than the one that computes.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  static double a[1000];
#pragma acc parallel loop copy(a) deviceid(1)
  for (int i = 0; i < 1000; ++i)
    a[i] = i;
#pragma acc wait device(0)
// CHECK: deviceid-wait-elsewhere.c:[[@LINE+1]]:{{.*}}'a' is used on the host here, and what line [[@LINE-4]] asks for may be under way: add '#pragma acc wait device(1)' in between
  printf("%g\n", a[999]);
#pragma acc wait device(1)
}
