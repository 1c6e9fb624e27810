// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who calls a function decides how many threads reduce in it.
//
// RUN: %device %s | %hier-reduce 2>&1 | FileCheck %s

// CHECK: orphaned.c:[[@LINE+5]]:{{.*}} left to the device runtime: it is not part of a parallel region of a known kernel
// CHECK: call i32 @__kmpc_nvptx_parallel_reduce_nowait_v2(
#pragma omp begin declare target
static long s;
void add(int n, const int *x) {
#pragma omp for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += x[i];
}
#pragma omp end declare target

void sum(int n, const int *x) {
#pragma omp target parallel map(to : x[ : n])
  add(n, x);
}
