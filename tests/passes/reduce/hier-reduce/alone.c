// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without grid-loop there is a reduction in each chunk of the loop over teams,
// all of them through the same slots; the region stays one.
//
// RUN: %device %s | %alone 2>&1 | FileCheck %s

// CHECK: reduction over threads
// CHECK: reduction over teams
// CHECK: call void @__kmpc_parallel_51
// CHECK: call i32 @accx.reduce.grid(ptr %0,
long sum(int n, const int *x) {
  long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)              \
    map(to : x[ : n])
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
