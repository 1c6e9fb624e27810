; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes leave the loop in different iterations: it goes on while any is there.
; The counter is the same for all that are, and stays scalar.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <8 x i32> @_ZGVdN8v_f(<8 x i32> %n)
; CHECK: phi <8 x i1>
; CHECK: phi i32
; CHECK: %[[B:.*]] = bitcast <8 x i1> %{{.*}} to i8
; CHECK: %[[N:.*]] = icmp eq i8 %[[B]], 0
; CHECK: br i1 %[[N]],
; CHECK: ret <8 x i32>

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @f(i32 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i32 %i, 1
  %sq = mul i32 %next, %next
  %c = icmp slt i32 %sq, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %next
}

attributes #0 = { nounwind "_ZGVdN8v_f" "target-features"="+avx2" }
