// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a kernel with sequential parts not all threads reach the calls: they stay.
//
// RUN: %device %s | %hier-reduce 2>&1 | FileCheck %s

// CHECK-DAG: generic.c:[[@LINE+6]]:{{.*}} left to the device runtime: the kernel has sequential parts that one thread of a team runs
// CHECK-DAG: generic.c:[[@LINE+8]]:{{.*}} left to the device runtime: the kernel has sequential parts that one thread of a team runs
// CHECK-NOT: written as shuffles
float sum(int n, int m, const float *x, float *y) {
  float s = 0;
#pragma omp target teams distribute reduction(+ : s) map(to : x[ : n * m])     \
    map(from : y[ : n])
  for (int i = 0; i < n; i++) {
    float t = 0;
#pragma omp parallel for reduction(+ : t)
    for (int j = 0; j < m; j++)
      t += x[i * m + j];
    y[i] = t;
    s += t;
  }
  return s;
}

// CHECK-DAG: call i32 @__kmpc_nvptx_teams_reduce_nowait_v2(
// CHECK-DAG: call i32 @__kmpc_nvptx_parallel_reduce_nowait_v2(
