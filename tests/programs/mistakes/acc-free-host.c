// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// acc_free of the host's memory.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s
// CHECK: acc_free: 0x{{.*}} is no block of this device

// clang-format off
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
#pragma acc parallel
  {}
  void *p = malloc(1000);
  acc_free(p);
  puts("done");
}
