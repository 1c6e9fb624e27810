// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's default bound of 128 threads a block goes where every loop of the
// kernel strides over the grid, and stays with everything else.
//
// RUN: %device %s | %grid-loop -S -o %t.ll 2>/dev/null
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck %s --check-prefix=CHECK-NOTE < %t.ll

// CHECK-DAG: @__omp_offloading_{{.*}}_any_l[[@LINE+3]]_kernel_environment = {{.*}} i8 2, i32 1, i32 1024, i32 0,
// CHECK-NOTE-NOT: _any_l[[@LINE+2]], !"maxntidx"
void any(int n, float *a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
    a[i] = i;
}

// CHECK-DAG: @__omp_offloading_{{.*}}_clause_l[[@LINE+3]]_kernel_environment = {{.*}} i8 2, i32 1, i32 256, i32 0,
// CHECK-NOTE-DAG: _clause_l[[@LINE+2]], !"maxntidx", i32 256
void clause(int n, float *a) {
#pragma omp target teams distribute parallel for thread_limit(256)
  for (int i = 0; i < n; ++i)
    a[i] = i;
}

// CHECK-DAG: @__omp_offloading_{{.*}}_dealt_l[[@LINE+3]]_kernel_environment = {{.*}} i8 2, i32 1, i32 128, i32 0,
// CHECK-NOTE-DAG: _dealt_l[[@LINE+2]], !"maxntidx", i32 128
void dealt(int n, float *a) {
#pragma omp target teams distribute parallel for schedule(dynamic)
  for (int i = 0; i < n; ++i)
    a[i] = i;
}

// CHECK-DAG: @__omp_offloading_{{.*}}_team_l[[@LINE+3]]_kernel_environment = {{.*}} i8 2, i32 1, i32 128,
// CHECK-NOTE-DAG: _team_l[[@LINE+2]], !"maxntidx", i32 128
void team(int n, float *a) {
#pragma omp target parallel for
  for (int i = 0; i < n; ++i)
    a[i] = i;
}
