// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices and images are announced before the first construct and devices
// finalized before the tool ends; there are no functions for device tracing.
// RUN: %clang -DTOOL_EMI %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %clang -DTOOL_EMI -DTOOL_NO_DEVICES %s -o %t.none
// RUN: %run %t.none | FileCheck %s --check-prefix=NONE --implicit-check-not=device-

#include "Inputs/tool.h"

int main(void) {
  int A = 1;
#pragma omp target map(tofrom : A) device(1)
  A = 2;
  return A != 2;
}

// CHECK-DAG: device-init device=0 type=yes handle=1 trace=0
// CHECK-DAG: device-init device=1 type=yes handle=1 trace=0
// CHECK: device-load device=1 offset=0 image=yes
// CHECK: target-emi begin target device=1
// CHECK: target-emi end target device=1
// CHECK-DAG: device-fini device=0
// CHECK-DAG: device-fini device=1
// CHECK: tool ends

// NONE: target-emi begin target device=1
// NONE: target-emi end target device=1
// NONE: tool ends
