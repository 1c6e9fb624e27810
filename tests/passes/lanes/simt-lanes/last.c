// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector loop's lastprivate: all lanes get it from the lane that had the last
// iteration. One that only some iterations set has no such lane.
//
// RUN: %device %s | %simt-lanes 2>&1 | FileCheck %s

// CHECK: last.c:13:1: vector loop runs across 32 lanes
void always(int n, int m, int *a, int *y) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m],     \
                                                         y[ : n])
  for (int i = 0; i < n; i++) {
    int l = -1;
#pragma omp simd lastprivate(l)
    for (int j = 0; j < m; j++) {
      l = a[i * m + j];
      a[i * m + j] = l + 1;
    }
    y[i] = l;
  }
}

// CHECK: last.c:28:1: vector loop stays serial: it carries a value
void sometimes(int n, int m, int *a, int *y) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m],     \
                                                         y[ : n])
  for (int i = 0; i < n; i++) {
    int l = -1;
#pragma omp simd
    for (int j = 0; j < m; j++)
      if (a[i * m + j] > 0)
        l = j;
    y[i] = l;
  }
}

// CHECK-LABEL: define internal void @{{.*}}always{{.*}}omp_outlined_omp_outlined(
// CHECK: %[[TRIP:[0-9]+]] = call i32 @llvm.smax.i32(
// CHECK: %[[LAST:[0-9]+]] = sub i32 %[[TRIP]], 1
// CHECK-NEXT: %[[LANE:[0-9]+]] = and i32 %[[LAST]], 31
// CHECK: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %{{[0-9]+}}, i32 %[[LANE]], i32 31)
