// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An update to a device that does not have the data.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  static double a[1000];
#pragma acc enter data copyin(a) deviceid(0)
// CHECK: peer-absent.c:[[@LINE+1]]: 'a' is not present on device 1: 8000 bytes
#pragma acc update peer to(a) to_device(1) from(a) from_device(0)
#pragma acc wait device(0, 1)
}
