// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations that store: four of a lane at a time, all loads first, although
// nothing says that the arrays do not overlap. Not where an iteration loads
// after it has stored, or branches.
//
// RUN: %device %s | %simt-lanes 2>&1 | FileCheck %s

void scale(int n, int m, const float *a, float *z) {
#pragma acc parallel loop gang worker copyin(a[ : n * m]) copyout(z[ : n * m])
  for (int i = 0; i < n; i++)
#pragma acc loop vector
    for (int j = 0; j < m; j++)
      z[i * m + j] = a[i * m + j] * 2;
}

// CHECK-LABEL: define internal void @{{.*}}scale{{.*}}omp_outlined_omp_outlined(
// CHECK: %[[ENOUGH:[0-9]+]] = call i32 @llvm.usub.sat.i32(i32 %{{[0-9]+}}, i32 96)
// CHECK: lanes.four:
// CHECK-NEXT: %[[IV:.*]] = phi i32 [ %lane, %{{[0-9]+}} ], [ %[[NEXT:[0-9]+]], %lanes.four.body ]
// CHECK: icmp ult i32 %[[IV]], %[[ENOUGH]]
// CHECK: lanes.four.body:
// CHECK-COUNT-4: load float
// CHECK-COUNT-4: store float
// CHECK: %[[NEXT]] = add nuw i32 %[[IV]], 128
// CHECK: %lane.iv = phi i32 [ %[[IV]], %lanes.four ]

void twice(int n, int m, float *a, float *z) {
#pragma acc parallel loop gang worker copy(a[ : n * m]) copyout(z[ : n * m])
  for (int i = 0; i < n; i++)
#pragma acc loop vector
    for (int j = 0; j < m; j++) {
      a[i * m + j] += 1;
      z[i * m + j] = a[i * m + j + 1] * 2;
    }
}

void branch(int n, int m, const float *a, float *z) {
#pragma acc parallel loop gang worker copyin(a[ : n * m]) copyout(z[ : n * m])
  for (int i = 0; i < n; i++)
#pragma acc loop vector
    for (int j = 0; j < m; j++)
      if (a[i * m + j] > 0)
        z[i * m + j] = a[i * m + j] * 2;
}

// CHECK-LABEL: define internal void @{{.*}}twice{{.*}}omp_outlined_omp_outlined(
// CHECK-NOT: lanes.four
// CHECK: %lane.iv = phi i32 [ %lane, %{{[0-9]+}} ]
// CHECK-LABEL: define internal void @{{.*}}branch{{.*}}omp_outlined_omp_outlined(
// CHECK-NOT: lanes.four
// CHECK: %lane.iv = phi i32 [ %lane, %{{[0-9]+}} ]
