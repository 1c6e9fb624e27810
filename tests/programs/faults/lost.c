// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device goes with its n-th operation, for every n this program has: it
// ends at once with a message that names a construct, and the host's data are
// what they were.
//
// RUN: %clang -g %s -o %t
// RUN: bash -c 'for n in 1 2 3 4 5 6 7 8; do %fault ACCX_FAULT=lost:$n not --crash %t 2>&1 | FileCheck %s || exit 1; done'
// RUN: bash -c 'for n in 1 2 3 4 5 6 7 8; do %fault ACCX_FAULT=lost:$n ACCX_FAULT_OPTIONS=async,delay=100 not --crash %t 2>&1 | FileCheck %s || exit 1; done'
// RUN: bash -c 'for n in 1 2 3 4 5 6 7 8; do %fault ACCX_FAULT=lost:$n ACCX_DIRECTORY=fused not --crash %t 2>&1 | FileCheck %s || exit 1; done'
// RUN: %fault ACCX_FAULT=lost:9 %t 2>&1 | FileCheck %s --check-prefix=CHECK-OK

#include "Inputs/intact.h"

int a[1000], b[1000];

int main(void) {
  for (int i = 0; i < 1000; ++i)
    a[i] = b[i] = i;
  WATCH(a);
  WATCH(b);
#pragma omp target data map(to : a) map(tofrom : b)
  {
#pragma omp target map(to : a) map(tofrom : b)
    for (int i = 0; i < 1000; ++i)
      b[i] += a[i];
#pragma omp target update to(a)
#pragma omp target map(to : a) map(tofrom : b)
    for (int i = 0; i < 1000; ++i)
      b[i] += a[i];
#pragma omp target map(to : a) map(tofrom : b)
    for (int i = 0; i < 1000; ++i)
      b[i] += a[i];
#pragma omp target update to(a)
  }
  for (int i = 0; i < 1000; ++i)
    if (b[i] != 4 * i)
      return 1;
  fprintf(stderr, "done\n");
  return 0;
}

// CHECK: omptarget error: {{.*}}injected: the device is gone
// CHECK: lost.c:{{[0-9]+}}:{{[0-9]+}}: omptarget fatal error 1: failure of target construct while offloading is mandatory
// CHECK: host data intact (2)
// CHECK: no fall-back
// CHECK-NOT: done
// CHECK-OK-NOT: error
// CHECK-OK: done
