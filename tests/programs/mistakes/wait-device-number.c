// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device number that no device has.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  static double a[10];
#pragma acc enter data create(a) deviceid(0)
// CHECK: wait-device-number.c:[[@LINE+1]]:{{[0-9]+}}: device(7): there is no device 7 of type multicore. There are: 1 host, 4 multicore
#pragma acc wait device(7)
}
