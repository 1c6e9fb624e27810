// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code of a worker between vector loops: lane 0 alone stores, captures and
// calls what has effects, in one group where nothing stands between; the others
// get what they need. What only computes is done by all.
//
// RUN: %device %s | %simt-lanes 2>&1 | FileCheck %s

#pragma omp begin declare target
int drawn(int *from);
static int twice(int x) { return 2 * x; }
#pragma omp end declare target

// CHECK: vector loop runs across 32 lanes
void between(int n, int m, int *restrict a, int *restrict c, int *restrict d) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m],     \
                                                         c[ : n], d[ : n])
  for (int i = 0; i < n; i++) {
    int old;
#pragma omp atomic capture
    {
      old = c[i];
      c[i] += 3;
    }
    d[i] = twice(old);
    d[i] += drawn(&c[i]);
#pragma omp simd
    for (int j = 0; j < m; j++)
      a[i * m + j] += old;
  }
}

// CHECK-LABEL: define internal void @{{.*}}between{{.*}}omp_outlined_omp_outlined(
// CHECK: br i1 %{{[0-9a-z]+}}, label %lanes,
// CHECK: phi i64 [ %worker, %lanes ]
// One group for all of it.
// CHECK: call void @llvm.nvvm.bar.warp.sync(i32 -1)
// CHECK-NEXT: br i1 %first.lane, label %[[FIRST:.*]], label %[[ALL:.*]],
// CHECK: [[FIRST]]:
// CHECK-NEXT: %[[OLD:.*]] = atomicrmw add ptr
// CHECK: call i32 @twice(i32 noundef %[[OLD]])
// CHECK: store i32
// CHECK: call i32 @drawn(
// CHECK-NOT: first.lane
// CHECK: br label %[[ALL]]
// CHECK: [[ALL]]:
// CHECK-NEXT: phi i32 [ %[[OLD]], %[[FIRST]] ], [ poison,
// CHECK-NEXT: call void @llvm.nvvm.bar.warp.sync(i32 -1)
// CHECK: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %{{[0-9]+}}, i32 0, i32 31)
// What the vector loop stores is ordered against what the worker did.
// CHECK: call void @llvm.nvvm.bar.warp.sync(i32 -1)
// CHECK: %lane.iv = phi
