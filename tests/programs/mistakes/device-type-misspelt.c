// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ACC_DEVICE_TYPE with a letter missing.
// RUN: %accxcc %s -o %t
// RUN: %run env ACC_DEVICE_TYPE=nvida not --crash %t 2>&1 | FileCheck %s
// CHECK: ACC_DEVICE_TYPE='nvida' {{.*}}names no device that is present. There are: 1 host

// clang-format off
static double a[1000];
int main(void) {
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 1000; ++i) a[i] = i;
}
