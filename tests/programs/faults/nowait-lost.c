// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device goes while `nowait` regions are queued: the next wait says so and
// names the construct that failed; nothing hangs.
//
// RUN: %clang -g %s -o %t
// RUN: %fault ACCX_FAULT=lost:6 not --crash %t 2>&1 | FileCheck %s
// RUN: %fault ACCX_FAULT=lost:6 ACCX_FAULT_OPTIONS=async,delay=200 not --crash %t 2>&1 | FileCheck %s
// RUN: %fault ACCX_FAULT=lost:6 ACCX_DIRECTORY=fused not --crash %t 2>&1 | FileCheck %s
// RUN: %fault ACCX_FAULT=trap:4 not --crash %t 2>&1 | FileCheck %s --check-prefix=CHECK-TRAP
// RUN: %fault %t 2>&1 | FileCheck %s --check-prefix=CHECK-OK

#include "Inputs/intact.h"

int a[100];

int main(void) {
  for (int i = 0; i < 100; ++i)
    a[i] = i;
  WATCH(a);
#pragma omp target enter data map(to : a)
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int r = 0; r < 20; ++r) {
// CHECK: omptarget error: {{.*}}injected: the device is gone
// CHECK: nowait-lost.c:[[@LINE+3]]:{{[0-9]+}}: omptarget fatal error 1: failure of target construct while offloading is mandatory
// CHECK-TRAP: omptarget error: {{.*}}injected: trap
// CHECK-TRAP: nowait-lost.c:[[@LINE+1]]:{{[0-9]+}}: omptarget fatal error 1:
#pragma omp target nowait map(alloc : a) depend(inout : a[0])
      for (int i = 0; i < 100; ++i)
        a[i] += 1;
    }
#pragma omp taskwait
  }
#pragma omp target exit data map(from : a)
  for (int i = 0; i < 100; ++i)
    if (a[i] != i + 20)
      return 1;
  fprintf(stderr, "done\n");
  return 0;
}

// CHECK: host data intact (1)
// CHECK-NOT: done
// CHECK-TRAP: host data intact (1)
// CHECK-OK-NOT: error
// CHECK-OK: done
