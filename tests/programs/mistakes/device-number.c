// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device number that no device has.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s
// CHECK: acc_set_device_num: there is no device 99 of type multicore. There are: 1 host, 4 multicore

// clang-format off
#include <openacc.h>
#include <stdio.h>
int main(void) {
  double a[10] = {0};
  acc_set_device_num(99, acc_device_default);
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 10; ++i)
    a[i] = i;
  printf("%g\n", a[5]);
}
