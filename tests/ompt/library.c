// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tool in a library of its own, named by OMP_TOOL_LIBRARIES.
//
// The tool is opened while libomp starts, so it must not need libomp itself.
// RUN: %plaincc -DTOOL_EMI -DTOOL -shared -fPIC %s -o %t.so
// RUN: %clang %s -o %t
// RUN: env OMP_TOOL_LIBRARIES=%t.so OMP_TARGET_OFFLOAD=MANDATORY %t | FileCheck %s

#ifdef TOOL
#include "Inputs/tool.h"
#else
#include <stdio.h>

int main(void) {
  int A = 1;
#pragma omp target map(tofrom : A)
  A = 2;
  printf("value %d\n", A);
  fflush(stdout);
  return 0;
}
#endif

// CHECK: device-init device=0
// CHECK: target-emi begin target device=0
// CHECK: submit-emi begin
// CHECK: target-emi end target device=0
// CHECK: value 2
// CHECK: device-fini device=0
// CHECK: tool ends
