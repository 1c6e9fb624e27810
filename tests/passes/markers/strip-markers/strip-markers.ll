; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What accx-strip-markers leaves of a module: no call of a marker and no
; declaration, a verified module, and the same again the second time.
;
; RUN: opt -load-pass-plugin=%accx_plugin -passes="accx-strip-markers,verify" -S %s | FileCheck %s --implicit-check-not=__accx_marker
; RUN: opt -load-pass-plugin=%accx_plugin -passes="accx-strip-markers,accx-strip-markers,verify" -S %s | FileCheck %s --implicit-check-not=__accx_marker
; RUN: opt -load-pass-plugin=%accx_plugin -passes="default<O0>,verify" -S %s | FileCheck %s --implicit-check-not=__accx_marker
; RUN: opt -load-pass-plugin=%accx_plugin -passes="default<O2>,verify" -S %s | FileCheck %s --check-prefix=OPT --implicit-check-not=__accx_marker

; The calls go; what stands between them stays.
; CHECK-LABEL: define void @several(
; CHECK-NEXT:    store i32 1, ptr %P
; CHECK-NEXT:    store i32 2, ptr %Q
; CHECK-NEXT:    ret void
; OPT-LABEL: define void @several(
; OPT:         store i32 2, ptr %Q
define void @several(ptr %P, ptr %Q) {
  call void @__accx_marker_lanes_begin(i64 0)
  store i32 1, ptr %P
  call void @__accx_marker_lanes_end()
  call void @__accx_marker_lanes_begin(i64 32)
  store i32 2, ptr %Q
  call void @__accx_marker_lanes_end()
  ret void
}

; A marker that gives a value.
; CHECK-LABEL: define i32 @value(
; CHECK-NEXT:    ret i32 poison
define i32 @value() {
  %R = call i32 @__accx_marker_value()
  ret i32 %R
}

; CHECK-LABEL: define void @unmarked(
; CHECK-NEXT:    call void @other()
; CHECK-NEXT:    ret void
define void @unmarked() {
  call void @other()
  ret void
}

declare void @other()
declare void @__accx_marker_lanes_begin(i64)
declare void @__accx_marker_lanes_end()
declare void @__accx_marker_unused()
declare i32 @__accx_marker_value()
