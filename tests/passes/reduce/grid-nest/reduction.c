// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduction of the region, whose result one thread of the group has and uses;
// blocks of a group count each other in. One over teams asks all threads, and
// then blocks do not share what comes after the region.
//
// RUN: %device %s | %grid-nest 2>&1 | FileCheck %s
// RUN: %device %s | %folded -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECK-O2
// CHECK-O2: runs on all threads

// CHECK-DAG: _sums_{{.*}} runs on all threads of the grid, blocks may share an iteration
// CHECK-DAG: _both_{{.*}} runs on all threads of the grid{{ *$}}
// CHECK-DAG: _all_{{.*}} runs on all threads of the grid, blocks may share an iteration
// CHECK-NOT: __kmpc_nvptx_parallel_reduce_nowait_v2(
// CHECK-NOT: __kmpc_nvptx_teams_reduce_nowait_v2(
void sums(int n, int m, const float *x, float *y) {
#pragma omp target teams distribute map(to : x[ : n * m]) map(from : y[ : n])
  for (int i = 0; i < n; i++) {
    float t = 0;
#pragma omp parallel for reduction(+ : t)
    for (int j = 0; j < m; j++)
      t += x[i * m + j];
    y[i] = t;
  }
}

float both(int n, int m, const float *x, float *y) {
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

float all(int n, int m, const float *x) {
  float s = 0;
#pragma omp target teams distribute reduction(+ : s) map(to : x[ : n * m])
  for (int i = 0; i < n; i++) {
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < m; j++)
      s += x[i * m + j];
  }
  return s;
}

// CHECK-DAG: define internal i32 @accx.reduce.group(
// CHECK-DAG: define internal i32 @accx.reduce.grid(
// CHECK-DAG: br i1 %{{[^,]*}}, label %after
