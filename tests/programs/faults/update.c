// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies that fail in data constructs of their own.
//
// RUN: %clang -g %s -o %t
// RUN: %fault ACCX_FAULT=copy_to:1 not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-ENTER,CHECK
// RUN: %fault ACCX_FAULT=copy_to:2 not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-UPDATE-TO,CHECK
// RUN: %fault ACCX_FAULT=copy_from:1 not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-UPDATE-FROM,CHECK
// RUN: %fault ACCX_FAULT=copy_from:2 not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-EXIT,CHECK
// RUN: %fault ACCX_FAULT=copy_to:1 ACCX_FAULT_OPTIONS=async not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-ENTER,CHECK
// RUN: %fault ACCX_FAULT=copy_to:2 ACCX_FAULT_OPTIONS=async not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-UPDATE-TO,CHECK
// RUN: %fault ACCX_FAULT=copy_from:1 ACCX_FAULT_OPTIONS=async not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-UPDATE-FROM,CHECK
// RUN: %fault ACCX_FAULT=copy_from:2 ACCX_FAULT_OPTIONS=async not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK-EXIT,CHECK

#include "Inputs/intact.h"

double field[5000];

int main(void) {
  for (int i = 0; i < 5000; ++i)
    field[i] = i;
  WATCH(field);
// CHECK-ENTER: omptarget error: {{.*}}{{copying|updating}} 'field{{.*}}injected: copy_to
// CHECK-ENTER: update.c:[[@LINE+1]]:{{[0-9]+}}: omptarget fatal error 1:
#pragma omp target enter data map(to : field)
// CHECK-UPDATE-TO: omptarget error: {{.*}}{{copying|updating}} 'field{{.*}}injected: copy_to
// CHECK-UPDATE-TO: update.c:[[@LINE+1]]:{{[0-9]+}}: omptarget fatal error 1:
#pragma omp target update to(field[10 : 20])
// CHECK-UPDATE-FROM: omptarget error: {{.*}}{{copying|updating}} 'field{{.*}}injected: copy_from
// CHECK-UPDATE-FROM: update.c:[[@LINE+1]]:{{[0-9]+}}: omptarget fatal error 1:
#pragma omp target update from(field[100 : 200])
// CHECK-EXIT: omptarget error: {{.*}}{{copying|updating}} 'field{{.*}}injected: copy_from
// CHECK-EXIT: update.c:[[@LINE+1]]:{{[0-9]+}}: omptarget fatal error 1:
#pragma omp target exit data map(from : field)
  // Without a region there would be no image, and so no device.
#pragma omp target
  {
  }
  fprintf(stderr, "went on\n");
  return 0;
}

// CHECK: host data intact (1)
// CHECK: no fall-back
// CHECK-NOT: went on
