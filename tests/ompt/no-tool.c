// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tool that declines, or that registers nothing for targets, gets no events.
// RUN: %clang -DTOOL_EMI -DTOOL_REFUSES %s -o %t.refuses
// RUN: %run %t.refuses | FileCheck %s --implicit-check-not=device --implicit-check-not=target
// RUN: %clang -DTOOL_NO_DEVICES %s -o %t.host
// RUN: %run %t.host | FileCheck %s --implicit-check-not=device --implicit-check-not=target
// RUN: %clang -DTOOL_EMI %s -o %t.disabled
// RUN: env OMP_TOOL=disabled OMP_TARGET_OFFLOAD=MANDATORY %t.disabled | FileCheck %s --implicit-check-not=device --implicit-check-not=target

#include "Inputs/tool.h"

int main(void) {
  int A = 1;
#pragma omp target map(tofrom : A)
  A = 2;
  printf("value %d\n", A);
  return 0;
}

// CHECK: value 2
