// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp a row: groups take the threads' place, elements go to lanes, the sum
// is made by shuffles, lane 0 stores it. Enough teams are asked for.
//
// RUN: %device %s | %simt-lanes 2>&1 | FileCheck %s

// CHECK: remark: {{.*}}row.c:13:13: vector loop runs across 32 lanes
void product(int n, int m, const float *a, const float *x, float *y) {
#pragma acc parallel loop gang worker copyin(a[ : n * m], x[ : m])             \
    copyout(y[ : n])
  for (int i = 0; i < n; i++) {
    float s = 0;
#pragma acc loop vector reduction(+ : s)
    for (int j = 0; j < m; j++)
      s += a[i * m + j] * x[j];
    y[i] = s;
  }
}

// At least 2048 teams.
// CHECK: kernel_environment = {{.*}}%struct.ConfigurationEnvironmentTy { i8 0, i8 1, i8 2, i32 1, i32 {{[0-9]+}}, i32 2048, i32 0,
// CHECK-LABEL: define internal void @{{.*}}omp_outlined_omp_outlined(
// CHECK: %enough = icmp uge i32 %[[NTID:threads[0-9]*]], 32
// CHECK: %lane = and i32 %[[TID:thread[0-9]*]], 31
// CHECK: %first.lane = icmp eq i32 %lane, 0
// CHECK: %[[GROUP:[0-9]+]] = lshr i32 %[[TID]], 5
// CHECK: %[[GROUPS:[0-9]+]] = lshr i32 %[[NTID]], 5
// CHECK: %worker = select i1 %{{[0-9]+}}, i64 %{{[0-9]+}}, i64 4611686018427387904
// CHECK: br i1 %enough, label %lanes, label %{{.*}}
// CHECK: %grid.iv = phi i64 [ %worker, %lanes ]
// CHECK: %lane.iv = phi i32 [ %lane, %{{.*}} ], [ %lane.next, %{{.*}} ]
// CHECK: icmp ult i32 %lane.iv,
// CHECK-COUNT-5: call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1,
// CHECK: call float @llvm.fmuladd.f32
// CHECK: %lane.next = add nuw i32 %lane.iv, 32
// CHECK: call void @llvm.nvvm.bar.warp.sync(i32 -1)
// CHECK-NEXT: br i1 %first.lane, label %[[FIRST:.*]], label %[[ALL:.*]],
// CHECK: [[FIRST]]:
// CHECK-NEXT: store float
// CHECK: [[ALL]]:
// CHECK-NEXT: call void @llvm.nvvm.bar.warp.sync(i32 -1)
// CHECK-NOT: accx.lanes.
// CHECK: !"minctasm", i32
