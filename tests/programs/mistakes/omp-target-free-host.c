// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// omp_target_free of the host's memory.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s
// CHECK: Failure to deallocate device pointer 0x{{.*}} is no block of this device

// clang-format off
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  double *a = malloc(1000);
  omp_target_free(a, 0);
  puts("done");
}
