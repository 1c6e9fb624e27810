// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// present, and the array is not on the device.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  static double a[1000];
// CHECK: present-absent.c:[[@LINE+1]]: 'a' is not present on device 0
#pragma acc parallel loop present(a)
  for (int i = 0; i < 1000; ++i)
    a[i] += 1;
  puts("done");
}
