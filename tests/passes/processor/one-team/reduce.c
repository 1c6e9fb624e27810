// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A league of one that is called directly reduces without a barrier, which it
// has nobody for: libomp ends the program in it after target regions with
// nowait.
//
// RUN: %device %s | FileCheck %s

// CHECK-LABEL: define internal void @__omp_offloading_{{.*}}.omp_outlined.one(
// CHECK-NOT: @__kmpc_reduce(
// CHECK-NOT: @__kmpc_end_reduce(
// CHECK: call i32 @__kmpc_reduce_nowait(
// CHECK: ret void
unsigned long f(int n, const unsigned long *a) {
  unsigned long r = 0;
#pragma omp target teams loop reduction(^ : r) map(a[ : n]) thread_limit(64)
  for (int i = 0; i < n; ++i)
    r ^= a[i];
  return r;
}
