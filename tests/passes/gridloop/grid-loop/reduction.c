// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduction stays in the region and so keeps it, but happens once a kernel
// instead of once a chunk.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK: made a grid-stride loop
// CHECK: is kept: it may ask for the parallel state
float sum(int n, float *x) {
  float s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)              \
    map(to : x[ : n])
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

// A loop initializes the thread's array before the bounds are asked for.
// CHECK: reduction.c:[[@LINE+2]]:1: {{.*}} made a grid-stride loop
void array(int n, const int *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    reduction(+ : y[ : 8])
  for (int i = 0; i < n; i++)
    y[x[i] & 7] += 1;
}

// CHECK: call void @__kmpc_parallel_51
// CHECK-NEXT: br label %[[EXIT:[0-9]+]]
// CHECK: call i32 @__kmpc_nvptx_teams_reduce_nowait_v2
// CHECK: %grid.iv = phi i64
// CHECK: call i32 @__kmpc_nvptx_parallel_reduce_nowait_v2
