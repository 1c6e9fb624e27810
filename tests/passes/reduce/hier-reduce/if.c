// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A region that may run on one thread keeps its reduction.
//
// RUN: %device %s | %hier-reduce 2>&1 | FileCheck %s

// CHECK: left to the device runtime: threads of a team may be left out of its parallel region
// CHECK: call i32 @__kmpc_nvptx_parallel_reduce_nowait_v2(
long sum(int n, const int *x) {
  long s = 0;
#pragma omp target parallel for if (parallel : n > 9) reduction(+ : s)         \
    map(to : x[ : n]) map(tofrom : s)
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
