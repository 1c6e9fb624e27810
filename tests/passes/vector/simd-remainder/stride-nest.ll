; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; In a loop around it the vectorizer computes the number of iterations anew,
; ahead of both: its check folds all the same, and no scalar loop remains.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -S %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK: call <32 x float> @llvm.masked.load.v32f32
; CHECK-NOT: load float,
; CHECK: ret void

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr noalias %c, ptr noalias readonly %a, i64 %n, i64 %m) #0 {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %outer, label %exit

outer:
  %j = phi i64 [ 0, %entry ], [ %jn, %latch ]
  br label %loop

loop:
  %i = phi i64 [ 0, %outer ], [ %next, %loop ]
  %s = phi float [ 0.0, %outer ], [ %sum, %loop ]
  %at = add nuw nsw i64 %j, %i
  %twice = shl nuw nsw i64 %at, 1
  %pa = getelementptr inbounds float, ptr %a, i64 %twice
  %va = load float, ptr %pa, align 4
  %sum = fadd reassoc nsz float %s, %va
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %latch, label %loop

latch:
  %last = phi float [ %sum, %loop ]
  %pc = getelementptr inbounds float, ptr %c, i64 %j
  store float %last, ptr %pc, align 4
  %jn = add nuw nsw i64 %j, 1
  %end = icmp eq i64 %jn, %m
  br i1 %end, label %exit, label %outer

exit:
  ret void
}

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
