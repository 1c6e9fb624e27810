; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A marker that is used otherwise than by a call cannot be removed: an error
; that names it, never an undefined symbol for the linker.
;
; RUN: %tools/split-file %s %t
; RUN: not opt -load-pass-plugin=%accx_plugin -passes=accx-strip-markers -S %t/global.ll 2>&1 | FileCheck %s
; RUN: not opt -load-pass-plugin=%accx_plugin -passes=accx-strip-markers -S %t/argument.ll 2>&1 | FileCheck %s
; RUN: not opt -load-pass-plugin=%accx_plugin -passes=accx-strip-markers -S %t/invoke.ll 2>&1 | FileCheck %s

; CHECK: error: accx: {{.*}}'__accx_marker_used'

;--- global.ll
@Table = global ptr @__accx_marker_used
declare void @__accx_marker_used()

;--- argument.ll
define void @pass() {
  call void @__accx_marker_used(ptr null)
  call void @use(ptr @__accx_marker_used)
  ret void
}
declare void @use(ptr)
declare void @__accx_marker_used(ptr)

;--- invoke.ll
define void @invokes() personality ptr @personality {
  invoke void @__accx_marker_used() to label %normal unwind label %unwind
normal:
  ret void
unwind:
  %L = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %L
}
declare void @__accx_marker_used()
declare i32 @personality(...)
