// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device memory that cannot be had, for windows and for blocks.
//
// RUN: %clang -g %s -o %t
// RUN: %fault ACCX_FAULT=commit:1+,alloc:1+ not --crash %t 2>&1 | FileCheck %s
// RUN: %fault ACCX_FAULT=alloc:1+ ACCX_DIRECTORY=fused not --crash %t 2>&1 | FileCheck %s
// RUN: %fault ACCX_FAULT=alloc:1+ ACCX_FAULT_OPTIONS=no_va not --crash %t 2>&1 | FileCheck %s
// RUN: %fault ACCX_FAULT=commit:1+,alloc:1+ ACCX_FAULT_OPTIONS=async not --crash %t 2>&1 | FileCheck %s
//
// One failure is not the end: the memory is asked for once more.
// RUN: %fault ACCX_FAULT=commit:1,alloc:1 %t 2>&1 | FileCheck %s --check-prefix=CHECK-OK
// RUN: %fault ACCX_FAULT=alloc:1 ACCX_DIRECTORY=fused %t 2>&1 | FileCheck %s --check-prefix=CHECK-OK

#include "Inputs/intact.h"

int main(void) {
  // CHECK: omptarget error: 'a' at allocation.c:[[@LINE+1]]:{{[0-9]+}}: mapping 400000 bytes failed: {{.*}}injected: {{commit|alloc}}
  static int a[100000];
  for (int i = 0; i < 100000; ++i)
    a[i] = i;
  WATCH(a);
// CHECK: allocation.c:[[@LINE+1]]:{{[0-9]+}}: omptarget fatal error 1: failure of target construct while offloading is mandatory
#pragma omp target map(tofrom : a)
  for (int i = 0; i < 100000; ++i)
    a[i] += 1;
  for (int i = 0; i < 100000; ++i)
    if (a[i] != i + 1)
      return 1;
  printf("done\n");
  return 0;
}

// CHECK: host data intact (1)
// CHECK: no fall-back
// CHECK-NOT: done
// CHECK-OK-NOT: error
// CHECK-OK: done
