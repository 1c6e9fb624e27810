// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// present, and half of the array is on the device.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  static double a[1000];
#pragma acc enter data copyin(a[0:500])
// CHECK: present-part.c:[[@LINE+1]]: 'a' is not present on device 0
#pragma acc parallel loop present(a)
  for (int i = 0; i < 1000; ++i)
    a[i] += 1;
  puts("done");
}
