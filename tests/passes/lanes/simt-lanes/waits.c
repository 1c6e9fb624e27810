// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes meet on that side of a vector loop that writes where the same worker
// accesses memory, and nowhere else: workers are independent.
//
// RUN: %device %s | %simt-lanes 2>&1 | FileCheck %s

// CHECK-LABEL: define internal void @{{.*}}alone{{.*}}omp_outlined_omp_outlined(
// CHECK-NOT: bar.warp.sync
// CHECK: %lane.iv = phi
// CHECK-NOT: bar.warp.sync
// CHECK: ret void
void alone(int n, int m, float *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m])
  for (int i = 0; i < n; i++) {
#pragma omp simd
    for (int j = 0; j < m; j++)
      a[i * m + j] += 1;
  }
}

// CHECK-LABEL: define internal void @{{.*}}readsBehind{{.*}}omp_outlined_omp_outlined(
// CHECK-NOT: bar.warp.sync
// CHECK: %lane.iv = phi
// CHECK: call void @llvm.nvvm.bar.warp.sync(i32 -1)
// CHECK: ret void
float readsBehind(int n, int m, float *a) {
  float s = 0;
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m])     \
    reduction(+ : s)
  for (int i = 0; i < n; i++) {
#pragma omp simd
    for (int j = 0; j < m; j++)
      a[i * m + j] += 1;
    s += a[i * m + m - 1];
  }
  return s;
}

// CHECK-LABEL: define internal void @{{.*}}readsBefore{{.*}}omp_outlined_omp_outlined(
// CHECK: call void @llvm.nvvm.bar.warp.sync(i32 -1)
// CHECK: %lane.iv = phi
// CHECK-NOT: bar.warp.sync
// CHECK: ret void
void readsBefore(int n, int m, float *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m])
  for (int i = 0; i < n; i++) {
    const float b = a[i * m + 1];
#pragma omp simd
    for (int j = 0; j < m; j++)
      a[i * m + j] += b;
  }
}

// A sequential loop around it: what lanes wrote is read by others.
// CHECK-LABEL: define internal void @{{.*}}again{{.*}}omp_outlined_omp_outlined(
// CHECK: call void @llvm.nvvm.bar.warp.sync(i32 -1)
// CHECK: %lane.iv = phi
// CHECK: call void @llvm.nvvm.bar.warp.sync(i32 -1)
// CHECK: ret void
void again(int n, int m, float *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m])
  for (int i = 0; i < n; i++)
    for (int t = 0; t < 4; t++) {
#pragma omp simd
      for (int j = 1; j < m; j++)
        a[i * m * 5 + (t + 1) * m + j] = a[i * m * 5 + t * m + j - 1];
    }
}
