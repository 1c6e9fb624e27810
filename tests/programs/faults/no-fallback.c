// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data that the device has changed are stale on the host: a launch that fails
// must never be done over on the host, whatever OMP_TARGET_OFFLOAD says.
//
// RUN: %clang -g %s -o %t
// RUN: %fault ACCX_FAULT=launch:2 OMP_TARGET_OFFLOAD=DEFAULT not --crash %t 2>&1 | FileCheck %s -DWHAT=launch
// RUN: %fault ACCX_FAULT=launch:2 OMP_TARGET_OFFLOAD=MANDATORY not --crash %t 2>&1 | FileCheck %s -DWHAT=launch
// RUN: %fault ACCX_FAULT=launch:2 not --crash %t 2>&1 | FileCheck %s -DWHAT=launch
// RUN: %fault ACCX_FAULT=trap:2 OMP_TARGET_OFFLOAD=DEFAULT not --crash %t 2>&1 | FileCheck %s -DWHAT=trap
// RUN: %fault ACCX_FAULT=trap:2 ACCX_FAULT_OPTIONS=async OMP_TARGET_OFFLOAD=DEFAULT not --crash %t 2>&1 | FileCheck %s -DWHAT=trap
// RUN: %fault ACCX_FAULT=launch:2 ACCX_FAULT_OPTIONS=async OMP_TARGET_OFFLOAD=DEFAULT not --crash %t 2>&1 | FileCheck %s -DWHAT=launch
// RUN: %fault ACCX_FAULT=launch:2 ACCX_DIRECTORY=fused OMP_TARGET_OFFLOAD=DEFAULT not --crash %t 2>&1 | FileCheck %s -DWHAT=launch
//
// Memory of the launch itself: the block of a firstprivate array.
// RUN: %fault ACCX_FAULT=alloc:1+ OMP_TARGET_OFFLOAD=DEFAULT not --crash %t array 2>&1 | FileCheck %s -DWHAT=alloc

#include "Inputs/intact.h"

#include <omp.h>

int a[1000];

int main(int argc, char **argv) {
  int big[2000];
  (void)argv;
  for (int i = 0; i < 1000; ++i)
    a[i] = i;
  for (int i = 0; i < 2000; ++i)
    big[i] = i;
  WATCH(a);
#pragma omp target enter data map(to : a)
#pragma omp target map(alloc : a)
  {
    if (omp_is_initial_device())
      host_ran = 1;
    for (int i = 0; i < 1000; ++i)
      a[i] *= 2;
  }
  if (argc > 1) {
#pragma omp target map(alloc : a) firstprivate(big)
    {
      if (omp_is_initial_device())
        host_ran = 1;
      a[0] = big[1];
    }
  }
#pragma omp target map(alloc : a)
  {
    if (omp_is_initial_device())
      host_ran = 1;
    for (int i = 0; i < 1000; ++i)
      a[i] += 1;
  }
  fprintf(stderr, "went on\n");
  return 0;
}

// CHECK: omptarget error: {{.*('big'|kernel '|private arguments).*}}injected: [[WHAT]]
// CHECK: no-fallback.c:{{[0-9]+}}:{{[0-9]+}}: omptarget fatal error 1: failure of target construct while offloading is mandatory
// CHECK: host data intact (1)
// CHECK: no fall-back
// CHECK-NOT: went on
