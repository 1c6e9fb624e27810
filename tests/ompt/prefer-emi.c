// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tool that registers both forms gets the EMI form only.
// RUN: %clang %s -o %t
// RUN: %run %t | FileCheck %s --implicit-check-not="{{^(target|data-op|submit) }}"

#define TOOL_EMI
#define TOOL_PLAIN
#include "Inputs/tool.h"

int main(void) {
  int A = 1;
#pragma omp target map(tofrom : A)
  A = 2;
  return A != 2;
}

// CHECK: target-emi begin target
// CHECK: data-op-emi begin alloc
// CHECK: data-op-emi begin to
// CHECK: submit-emi begin
// CHECK: data-op-emi begin from
// CHECK: data-op-emi begin delete
// CHECK: target-emi end target
