// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// acc_free twice.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s
// CHECK: acc_free: 0x{{.*}} is no block of this device

// clang-format off
#include <openacc.h>
#include <stdio.h>
int main(void) {
#pragma acc parallel
  {}
  void *p = acc_malloc(1000);
  acc_free(p);
  acc_free(p);
  puts("done");
}
