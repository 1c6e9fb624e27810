// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds that are members of an object are loaded before the region, which may
// write them: a barrier stays, the region goes.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

struct Cube {
  int n, m;
};

// CHECK: direct-loads.c:[[@LINE+5]]:1: {{.*}} made a grid-stride loop
// CHECK-NOT: {{members|values}}{{.*}} is kept
// CHECK: changing{{.*}} is kept: code around it may touch memory
void members(struct Cube *c, int *x) {
  struct Cube Own = *c;
#pragma omp target teams distribute parallel for collapse(2) map(Own)
  for (int i = 0; i < Own.n; i++)
    for (int j = 0; j < Own.m; j++)
      Own.n = x[i * Own.m + j];
}
// CHECK-LABEL: define internal void @{{.*}}members{{.*}}omp_outlined(
// CHECK: load i32
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK-NOT: @__kmpc_parallel_51
// CHECK: call void @{{.*}}members{{.*}}omp_outlined_omp_outlined(

// Nothing is shared: no barrier.
void values(int n, int m, int *x) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i * m + j] = i;
}
// CHECK-LABEL: define internal void @{{.*}}values{{.*}}omp_outlined(
// CHECK-NOT: barrier0
// CHECK: call void @{{.*}}values{{.*}}omp_outlined_omp_outlined(

// What is loaded into an alias, say, atomically is no plain load.
struct Flag {
  volatile int n;
};
// CHECK-LABEL: define internal void @{{.*}}changing{{.*}}omp_outlined(
// CHECK: call void @__kmpc_parallel_51
void changing(struct Flag f, int *x) {
#pragma omp target teams distribute parallel for map(f)
  for (int i = 0; i < f.n; i++)
    x[i] = i;
}
