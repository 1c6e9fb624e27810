; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The runtime splits a loop by setting arguments of the kernel: where first and
; last iteration are none, the loop is not split, and a remark says so.
;
; RUN: opt -load-pass-plugin=%accx_plugin -S %s -o - 2>&1 \
; RUN:   -passes=accx-read-parts -pass-remarks-missed=accx-distribute \
; RUN:   | FileCheck %s
;
; CHECK: remark: {{.*}}: distributed loop runs on one device: its first and last iteration are no arguments of the kernel
; CHECK-NOT: remark
; CHECK: define void @__omp_offloading_1_2_known_l1({{.*}}) #[[KNOWN:[0-9]+]] {
; CHECK: define void @__omp_offloading_1_2_computed_l2({{.*}}) {
; CHECK: attributes #[[KNOWN]] = { "accx-part-first"="1" "accx-part-last"="2" }

declare void @__accx_marker_part(i64, i64)

define void @__omp_offloading_1_2_known_l1(ptr %env, i64 %first, i64 %last) {
  call void @__accx_marker_part(i64 %first, i64 %last)
  ret void
}

define void @__omp_offloading_1_2_computed_l2(ptr %env, ptr %n) {
  %count = load i64, ptr %n
  call void @__accx_marker_part(i64 0, i64 %count)
  ret void
}
