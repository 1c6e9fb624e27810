// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A region stays one where code before it touches what threads share: its
// barriers order the two.
//
// RUN: %device %s | %hier-reduce 2>&1 | FileCheck %s

// CHECK: reduction over threads of 8 bytes
// CHECK: reduction over teams of 8 bytes
// CHECK: call void @__kmpc_parallel_51(
// CHECK: call i32 @accx.reduce.grid(
long sum(int n, const int *x, int *flag) {
  long s = 0;
#pragma omp target teams reduction(+ : s) map(to : x[ : n]) map(flag[ : 1])
#pragma omp distribute parallel for reduction(+ : s) firstprivate(flag)
  for (int i = flag[0]; i < n; i++)
    s += x[i];
  return s;
}
