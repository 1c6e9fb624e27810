// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier of the whole block needs all of its threads in the region.
//
// RUN: %device %s | %hier-reduce 2>&1 | FileCheck %s
// RUN: %device -DCONSTANT %s | %hier-reduce 2>&1 | FileCheck %s --check-prefix=CHECK-ALL

// CHECK: left to the device runtime: threads of a team may be left out of its parallel region
// CHECK: call i32 @__kmpc_nvptx_parallel_reduce_nowait_v2(
// CHECK-ALL: reduction over threads of 8 bytes: i64 written
// CHECK-ALL-NOT: call i32 @__kmpc_nvptx_parallel_reduce_nowait_v2(
#ifdef CONSTANT
#define THREADS 128
#else
#define THREADS n
#endif
long sum(int n, const int *x) {
  long s = 0;
#pragma omp target parallel for num_threads(THREADS) reduction(+ : s)          \
    map(to : x[ : n]) map(tofrom : s)
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
