// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies that fail on the way in and on the way out.
//
// RUN: %clang -g %s -o %t
// RUN: %fault ACCX_FAULT=copy_to:1 not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-TO-FIRST,CHECK
// RUN: %fault ACCX_FAULT=copy_to:2 not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-TO-SECOND,CHECK
// RUN: %fault ACCX_FAULT=copy_to:1 ACCX_FAULT_OPTIONS=async not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-ASYNC-TO,CHECK
// RUN: %fault ACCX_FAULT=copy_to:2 ACCX_FAULT_OPTIONS=async,delay=1000 not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-ASYNC-TO,CHECK
// RUN: %fault ACCX_FAULT=copy_from:1 not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-FROM,CHECK
// RUN: %fault ACCX_FAULT=copy_from:1 ACCX_FAULT_OPTIONS=async,delay=1000 not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-ASYNC-FROM,CHECK
// RUN: %fault ACCX_FAULT=copy_from:1 ACCX_DIRECTORY=fused not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-FROM,CHECK

#include "Inputs/intact.h"

int a[1000], b[1000];

int main(void) {
  for (int i = 0; i < 1000; ++i)
    a[i] = b[i] = i;
  WATCH(a);
  WATCH(b);
// CHECK-TO-FIRST: omptarget error: copying 'b' to the device failed: injected: copy_to
// CHECK-TO-SECOND: omptarget error: copying 'a' to the device failed: injected: copy_to
// CHECK-ASYNC-TO: omptarget error: copying 'b', 'a', kernel 'main' of line {{[0-9]+}}, or copying 'b' back after it: {{.*}}injected: copy_to
// CHECK-FROM: omptarget error: copying 'b' from the device failed: injected: copy_from
// CHECK-ASYNC-FROM: omptarget error: kernel 'main' of line 28, or copying 'b' back after it: injected: copy_from
// CHECK: transfer.c:[[@LINE+1]]:{{[0-9]+}}: omptarget fatal error 1: failure of target construct while offloading is mandatory
#pragma omp target map(to : a) map(tofrom : b)
  for (int i = 0; i < 1000; ++i)
    b[i] += a[i];
  fprintf(stderr, "went on\n");
  return 0;
}

// CHECK: host data intact (2)
// CHECK: no fall-back
// CHECK-NOT: went on
