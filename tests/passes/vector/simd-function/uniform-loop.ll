; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop whose trip count is uniform has no mask.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <8 x float> @_ZGVdN8vu_f(<8 x float> %x, i32 %n)
; CHECK-NOT: i1>
; CHECK: phi <8 x float>
; CHECK: fmul <8 x float>
; CHECK: icmp slt i32
; CHECK-NOT: i1>
; CHECK: ret <8 x float>

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define float @f(float %x, i32 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = phi float [ 1.0, %entry ], [ %q, %loop ]
  %q = fmul float %p, %x
  %next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret float %q
}

attributes #0 = { nounwind "_ZGVdN8vu_f" "target-features"="+avx2" }
