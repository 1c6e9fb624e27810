// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refused: iterations that are dealt out at run time.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK: dynamic.c:[[@LINE+2]]:1: loop of {{.*}} is not made a grid-stride loop: its iterations are dealt out at run time
void dynamic(int n, float *x) {
#pragma omp target teams distribute parallel for schedule(dynamic)             \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}

// CHECK: call void @__kmpc_distribute_static_init_4
// CHECK: call void @__kmpc_parallel_51
// CHECK: call void @__kmpc_dispatch_init_4
