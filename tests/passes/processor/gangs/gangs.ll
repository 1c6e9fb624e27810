; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A team runs gangs by turns until the program's number is reached. Where a loop
; asks libomp for its iterations, or the league is started elsewhere as well,
; the league stays as it is, and a remark says why.
;
; RUN: opt -load-pass-plugin=%accx_plugin -S %s -o - 2>&1 -passes=gangs \
; RUN:   -pass-remarks=gangs -pass-remarks-missed=gangs | FileCheck %s
;
; CHECK: remark: {{.*}}: the region has as many gangs as the program asks for
; CHECK-NEXT: remark: {{.*}}: the region has no more gangs than there are cores: a loop's schedule is not plain static
; CHECK-NEXT: remark: {{.*}}: the region has no more gangs than there are cores: what it runs is not known
; CHECK-NOT: remark:
;
; CHECK-LABEL: define void @__omp_offloading_1_2_counted_l1(
; CHECK: call i32 @llvm.smin.i32(
; CHECK: @__kmpc_fork_teams(ptr null, i32 1, ptr @counted.gangs, i64 %
; CHECK-LABEL: define void @__omp_offloading_1_2_dynamic_l2(
; CHECK: call void @__kmpc_push_num_teams(ptr null, i32 0, i32 %n, i32 0)
; CHECK: @__kmpc_fork_teams(ptr null, i32 0, ptr @dynamic)
; CHECK-LABEL: define void @__omp_offloading_1_2_twice_l3(
; CHECK: @__kmpc_fork_teams(ptr null, i32 0, ptr @twice)
; CHECK: @__kmpc_fork_teams(ptr null, i32 0, ptr @twice)

target triple = "x86_64-unknown-linux-gnu"

declare void @__accx_marker_gangs()
declare void @__kmpc_push_num_teams(ptr, i32, i32, i32)
declare void @__kmpc_fork_teams(ptr, i32, ptr, ...)
declare void @__kmpc_dispatch_init_4(ptr, i32, i32, i32, i32, i32, i32)

define void @__omp_offloading_1_2_counted_l1(i32 %n) {
  call void @__kmpc_push_num_teams(ptr null, i32 0, i32 %n, i32 0)
  call void (ptr, i32, ptr, ...) @__kmpc_fork_teams(ptr null, i32 0, ptr @counted)
  ret void
}

define internal void @counted(ptr %global, ptr %local) {
  call void @__accx_marker_gangs()
  ret void
}

define void @__omp_offloading_1_2_dynamic_l2(i32 %n) {
  call void @__kmpc_push_num_teams(ptr null, i32 0, i32 %n, i32 0)
  call void (ptr, i32, ptr, ...) @__kmpc_fork_teams(ptr null, i32 0, ptr @dynamic)
  ret void
}

define internal void @dynamic(ptr %global, ptr %local) {
  call void @__accx_marker_gangs()
  call void @__kmpc_dispatch_init_4(ptr null, i32 0, i32 35, i32 0, i32 9, i32 1, i32 1)
  ret void
}

define void @__omp_offloading_1_2_twice_l3(i32 %n) {
  call void @__kmpc_push_num_teams(ptr null, i32 0, i32 %n, i32 0)
  call void (ptr, i32, ptr, ...) @__kmpc_fork_teams(ptr null, i32 0, ptr @twice)
  call void (ptr, i32, ptr, ...) @__kmpc_fork_teams(ptr null, i32 0, ptr @twice)
  ret void
}

define internal void @twice(ptr %global, ptr %local) {
  call void @__accx_marker_gangs()
  ret void
}

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"openmp-device", i32 51}
