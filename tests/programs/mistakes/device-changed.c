// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data on one device, the kernel on another.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <openacc.h>
#include <stdio.h>
static double a[1000];
int main(void) {
#pragma acc enter data copyin(a)
  acc_set_device_num(1, acc_get_device_type());
// CHECK: device-changed.c:[[@LINE+1]]:{{.*}}'a' is not present on device 1{{.*}}
#pragma acc parallel loop present(a)
  for (int i = 0; i < 1000; ++i) a[i] = i;
  printf("%g\n", a[5]);
}
