; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; With a known number of whole vectors nothing follows them: their last group has
; a mask, too, against what may lie behind the array.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -S %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NOT: load <32 x float>
; CHECK: call <32 x float> @llvm.masked.load.v32f32.p0(ptr %{{.*}}, i32 4, <32 x i1> <{{.*}}i1 true, i1 false>, <32 x float> poison)
; CHECK-NOT: load <32 x float>
; CHECK-NOT: load float,
; CHECK: ret void

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr noalias %c, ptr noalias readonly %a, ptr noalias readonly %b, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %twice = shl nuw nsw i64 %i, 1
  %pa = getelementptr inbounds float, ptr %a, i64 %twice
  %va = load float, ptr %pa, align 4
  %pb = getelementptr inbounds float, ptr %b, i64 %i
  %vb = load float, ptr %pb, align 4
  %sum = fadd float %va, %vb
  %pc = getelementptr inbounds float, ptr %c, i64 %i
  store float %sum, ptr %pc, align 4
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 1024
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
