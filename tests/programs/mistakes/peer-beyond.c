// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A section that ends behind its array.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  static double a[1000]; int n = 20;
#pragma acc enter data copyin(a) deviceid(0)
// CHECK: peer-beyond.c:[[@LINE+1]]: 'a[990:n]'
#pragma acc update peer to(a[990:n]) to_device(0) from(a[980:n]) from_device(0)
#pragma acc wait device(0)
}
