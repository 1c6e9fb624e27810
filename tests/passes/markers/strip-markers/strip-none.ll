; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A module without markers is not touched: a definition that has a marker's
; name, too.
;
; RUN: opt -load-pass-plugin=%accx_plugin -passes="accx-strip-markers,verify" -S %s | FileCheck %s

; CHECK: define void @caller()
; CHECK-NEXT: call void @__accx_marker_defined()
define void @caller() {
  call void @__accx_marker_defined()
  ret void
}

; CHECK: define void @__accx_marker_defined()
define void @__accx_marker_defined() {
  ret void
}
