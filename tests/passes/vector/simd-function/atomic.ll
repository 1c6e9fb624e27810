; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Atomic and volatile accesses go lane by lane, in order.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <2 x i64> @_ZGVbN2vu_f(<2 x i64> %v, ptr %p)
; CHECK: extractelement <2 x i64> %v, i64 0
; CHECK: atomicrmw add ptr %p, i64
; CHECK: extractelement <2 x i64> %v, i64 1
; CHECK: atomicrmw add ptr %p, i64
; CHECK: store volatile i64
; CHECK: store volatile i64

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i64 @f(i64 %v, ptr %p) #0 {
  %a = atomicrmw add ptr %p, i64 %v seq_cst
  store volatile i64 %v, ptr %p
  ret i64 %a
}

attributes #0 = { nounwind "_ZGVbN2vu_f" }
