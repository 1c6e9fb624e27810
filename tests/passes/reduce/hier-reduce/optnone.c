// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %device %s | %hier-reduce 2>&1 | FileCheck %s
// RUN: %device %s | sed "s/alwaysinline convergent mustprogress norecurse/noinline optnone convergent norecurse/" | %hier-reduce 2>&1 | FileCheck %s --check-prefix=CHECK-NONE

// CHECK: written as shuffles
// CHECK-NONE: left to the device runtime: optimization is off for it
// CHECK-NONE: call i32 @__kmpc_nvptx_parallel_reduce_nowait_v2(
long sum(int n, const int *x) {
  long s = 0;
#pragma omp target parallel for reduction(+ : s) map(to : x[ : n])             \
    map(tofrom : s)
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
