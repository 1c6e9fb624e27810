// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of a worker: those that vector loops only read have a right copy in
// each lane; one that a vector loop writes would need memory that lanes share.
// Arrays of one iteration are each lane's own.
//
// RUN: %device %s | %simt-lanes 2>&1 | FileCheck %s

// CHECK: private-arrays.c:[[#@LINE+7]]:1: vector loop runs across 32 lanes
void read(int n, int m, int *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m])
  for (int i = 0; i < n; i++) {
    int w[4];
    for (int k = 0; k < 4; k++)
      w[k] = a[i * m + k];
#pragma omp simd
    for (int j = 4; j < m; j++)
      a[i * m + j] += w[j % 4];
  }
}

// CHECK: private-arrays.c:[[#@LINE+5]]:1: vector loop stays serial: it writes a variable of one worker
void written(int n, int m, int *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m])
  for (int i = 0; i < n; i++) {
    int w[4] = {0};
#pragma omp simd
    for (int j = 0; j < m; j++)
      w[a[i * m + j] % 4] = 1;
    a[i * m] = w[0] + w[a[i * m + 1] % 4];
  }
}

// CHECK: private-arrays.c:[[#@LINE+4]]:1: vector loop runs across 32 lanes
void iterations(int n, int m, int *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m])
  for (int i = 0; i < n; i++)
#pragma omp simd
    for (int j = 0; j < m; j++) {
      int w[4];
      for (int k = 0; k < 4; k++)
        w[k] = a[i * m + j] + k;
      a[i * m + j] = w[w[0] & 3];
    }
}

// An array of lane 0, passed to a function: vector loops must not use it.
// CHECK: private-arrays.c:[[#@LINE+9]]:1: vector loop stays serial: it writes a variable of one worker
#pragma omp begin declare target
void fill(int *w);
#pragma omp end declare target
void passed(int n, int m, int *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m])
  for (int i = 0; i < n; i++) {
    int w[4];
    fill(w);
#pragma omp simd
    for (int j = 0; j < m; j++)
      a[i * m + j] += w[j % 4];
  }
}

// All lanes fill theirs: no guard around these stores.
// CHECK-LABEL: define internal void @{{.*}}read{{.*}}omp_outlined_omp_outlined(
// CHECK: phi i64 [ %worker, %lanes ]
// CHECK-NOT: br i1 %first.lane
// CHECK: %lane.iv = phi
// CHECK: }
