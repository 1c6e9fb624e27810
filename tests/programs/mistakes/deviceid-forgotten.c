// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A construct without deviceid inside of data that has it.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  static double a[1000];
#pragma acc data copy(a) deviceid(1)
  {
// CHECK: deviceid-forgotten.c:[[@LINE+1]]:{{.*}}'a' is on the device of 'data deviceid' in line [[@LINE-2]], and this construct, without 'deviceid', runs on the current one
#pragma acc parallel loop
  for (int i = 0; i < 1000; ++i)
    a[i] = i;
  }
#pragma acc wait device(1)
  printf("%g\n", a[999]);
}
