// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An update of an array that is not on the device.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  static double a[1000];
// CHECK: update-absent.c:[[@LINE+1]]: 'a' is not present on device 0
#pragma acc update device(a)
  puts("done");
}
