// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A failure of late regions ends the program ahead of what comes next, with
// the kernels that were under way and the first one's place.
//
// RUN: %program -O2 -g %s -o %t
// RUN: bash -c 'for n in 1 2 3 4 5 6 7; do ACCX_FAULT=lost:$n %fault not --crash %t 2>&1 | FileCheck %s || exit 1; done'
// RUN: bash -c 'for n in 1 2 3 4 5 6 7; do ACCX_FAULT=lost:$n ACCX_FAULT_OPTIONS=async,delay=100 %fault not --crash %t 2>&1 | FileCheck %s || exit 1; done'
// RUN: %fault ACCX_FAULT_OPTIONS=async ACCX_FAULT=launch:2 not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-LAUNCH
// RUN: %fault ACCX_FAULT_OPTIONS=async ACCX_FAULT=launch:2 ACCX_SYNC=1 not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-LAUNCH
// RUN: env ACCX_SYNC=0 LIBOMPTARGET_PLUGIN=%faultplugin ACCX_FAULT=launch:2 not --crash %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-LAUNCH
// CHECK: omptarget error: {{.*}}injected
// CHECK-LAUNCH-SAME: launch
// CHECK: failing.c:{{[0-9]+}}:{{[0-9]+}}: omptarget fatal error 1: failure of target construct while offloading is mandatory
// CHECK-NOT: done
#include <stdio.h>

int a[1000];

int main(void) {
#pragma omp target enter data map(to : a)
  for (int t = 0; t < 3; ++t) {
#pragma omp target map(a)
    for (int i = 0; i < 1000; ++i)
      a[i] += i;
#pragma omp target map(a)
    for (int i = 0; i < 1000; ++i)
      a[i] *= 3;
  }
  fprintf(stderr, "done\n");
  return 0;
}
