; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Whoever links against the function links against its variants: linkage,
; visibility and a group of its own. Of a local function only what may be called
; from here is made.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK: $_ZGVbN4v_inline = comdat any
; CHECK-DAG: define linkonce_odr hidden <4 x i32> @_ZGVbN4v_inline({{.*}}) {{.*}}comdat
; CHECK-DAG: define weak <4 x i32> @_ZGVbN4v_weak(
; CHECK-DAG: define <16 x i32> @_ZGVeN16v_global(
; CHECK-DAG: define internal <4 x i32> @_ZGVbN4v_local(
; CHECK-NOT: @_ZGVeN16v_local

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

$inline = comdat any
define linkonce_odr hidden i32 @inline(i32 %x) #0 comdat { ret i32 %x }
define weak i32 @weak(i32 %x) #1 { ret i32 %x }
define i32 @global(i32 %x) #2 { ret i32 %x }
define internal i32 @local(i32 %x) #3 { ret i32 %x }
define i32 @use(i32 %x) {
  %a = call i32 @local(i32 %x)
  ret i32 %a
}

attributes #0 = { nounwind "_ZGVbN4v_inline" }
attributes #1 = { nounwind "_ZGVbN4v_weak" }
attributes #2 = { nounwind "_ZGVeN16v_global" }
attributes #3 = { nounwind "_ZGVbN4v_local" "_ZGVeN16v_local" }
