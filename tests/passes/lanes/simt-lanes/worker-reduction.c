// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduction of the loop over threads: each worker is counted once, by lane 0;
// the other lanes' variables stay as they were, also such as are values only.
//
// RUN: %device %s | %simt-lanes 2>&1 | FileCheck %s

// CHECK-COUNT-2: vector loop runs across 32 lanes
int total(int n, int m, const int *a) {
  int t = 0;
#pragma acc parallel loop gang worker copyin(a[ : n * m]) reduction(+ : t)
  for (int i = 0; i < n; i++) {
    int s = 0;
#pragma acc loop vector reduction(max : s)
    for (int j = 0; j < m; j++)
      if (a[i * m + j] > s)
        s = a[i * m + j];
    t += s;
  }
  return t;
}

// CHECK-LABEL: define internal void @{{.*}}total{{.*}}omp_outlined_omp_outlined(
// CHECK: %[[TOTAL:.*]] = alloca i32
// CHECK: store i32 0, ptr %[[TOTAL]]
// CHECK: br i1 %enough, label %lanes,
// CHECK: %lane.iv = phi
// Variables of the thread need no barrier.
// CHECK: br i1 %first.lane, label %[[FIRST:.*]], label %[[ALL:.*]],
// CHECK: [[FIRST]]:
// CHECK-NEXT: load i32, ptr %[[TOTAL]]
// CHECK-NEXT: add nsw i32
// CHECK-NEXT: store i32 %{{[0-9]+}}, ptr %[[TOTAL]]
// CHECK-NEXT: br label %[[ALL]]
// CHECK: [[ALL]]:
// CHECK-NOT: bar.warp.sync
// CHECK: call i32 @__kmpc_nvptx_parallel_reduce_nowait_v2(

void counts(int n, int m, int *a, int *c) {
#pragma omp target teams map(tofrom : a[ : n * m], c[0 : 1])
#pragma omp parallel
  {
    int mine = 0;
#pragma omp for
    for (int i = 0; i < n; i++) {
#pragma omp simd
      for (int j = 0; j < m; j++)
        a[i * m + j] += i;
      mine++;
    }
#pragma omp atomic
    c[0] += mine;
  }
}

// CHECK-LABEL: define internal void @{{.*}}counts{{.*}}omp_outlined_omp_outlined(
// CHECK: phi i64 [ %worker, %lanes ]
// CHECK: lanes.exit:
// CHECK-NEXT: %[[MINE:[0-9]+]] = select i1 %first.lane, i32 %{{.*}}, i32 0
// CHECK: phi i32 [ %[[MINE]], %lanes.exit ]
// CHECK: atomicrmw add
