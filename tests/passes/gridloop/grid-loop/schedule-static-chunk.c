// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chunks of a given size are dealt out anew, one iteration at a time: the loop
// over a thread's chunks goes.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK: made a grid-stride loop; its iterations move to other threads
void five(int n, float *x) {
#pragma omp target teams distribute parallel for schedule(static, 5)           \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}

// CHECK: define internal void @{{.*}}_omp_outlined_omp_outlined(
// CHECK: %grid.iv = phi i64 [ %position, %{{.*}} ], [ %grid.next, %[[LATCH:.*]] ]
// CHECK: %grid.next = add nuw nsw i64 %grid.iv, %size
// CHECK-NEXT: br label
// CHECK-NOT: icmp
// CHECK: call void @__kmpc_for_static_fini
