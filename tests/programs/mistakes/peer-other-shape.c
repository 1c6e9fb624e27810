// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections of different shapes.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  static double a[1000];
  int n = 11;
#pragma acc enter data copyin(a) deviceid(0)
// CHECK: peer-other-shape.c:[[@LINE+1]]:{{[0-9]+}}: update peer: 'a[0:10]' has 80 bytes and 'a[0:n]' 88, or their dimensions do not fit: name sections of one shape
#pragma acc update peer to(a[0:10]) to_device(1) from(a[0:n]) from_device(0)
#pragma acc wait device(0, 1)
}
