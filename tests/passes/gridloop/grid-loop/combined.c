// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The combined construct: one loop over all threads, no call of the runtime for
// its bounds, and a direct call of the region, since nothing asks for its
// state.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK: combined.c:[[@LINE+3]]:1: loop of {{.*}}add{{.*}} made a grid-stride loop{{$}}
// CHECK-NOT: is kept
void add(int n, float *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}

// CHECK: define internal void @[[TEAMS:.*_omp_outlined]](
// CHECK-NOT: call void @__kmpc_distribute_static_init
// CHECK-NOT: call void @__kmpc_parallel_51
// CHECK: call void @[[TEAMS]]_omp_outlined(
// CHECK-NEXT: br label %[[EXIT:.*]]
// CHECK: call void @__kmpc_distribute_static_fini

// CHECK: define internal void @[[TEAMS]]_omp_outlined(
// CHECK-NOT: call void @__kmpc_for_static_init
// CHECK-DAG: call range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
// CHECK-DAG: call range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
// CHECK-DAG: call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
// CHECK-DAG: call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
// CHECK: %position = add nuw nsw i64
// CHECK: %size = mul nuw nsw i64
// CHECK: %trip = add i64 %{{.*}}, 1
// CHECK: %[[TRIP:.*]] = select i1 %{{.*}}, i64 0, i64 %trip
// CHECK: %grid.iv = phi i64 [ %position, %{{.*}} ], [ %grid.next, %{{.*}} ]
// CHECK: %[[GOES:.*]] = icmp ult i64 %grid.iv, %[[TRIP]]
// CHECK-NEXT: br i1 %[[GOES]]
// CHECK: icmp ult i64 %grid.iv, 2147483648
// CHECK: trunc i64 %grid.iv to i32
// CHECK: %grid.next = add nuw nsw i64 %grid.iv, %size
// CHECK-NEXT: br label {{.*}} !llvm.loop ![[LOOP:[0-9]+]]
// CHECK-NOT: call void @__kmpc_for_static_init
// CHECK: ![[LOOP]] = distinct !{![[LOOP]]{{.*}}, ![[MARK:[0-9]+]]}
// CHECK: ![[MARK]] = !{!"accx.grid_loop", i32 31, i1 true}
