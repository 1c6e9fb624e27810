// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Freeing what was never allocated ends the program with both reasons.
// RUN: %clang %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// CHECK: omptarget error: Failure to deallocate device pointer
// CHECK: omptarget fatal error 0: Failed to deallocate device ptr

#include "Inputs/expect.h"

int main(void) {
  expectDevices();
  int X = 0;
  omp_target_free(&X, 0);
  return 0;
}
