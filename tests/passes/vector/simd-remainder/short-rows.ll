; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Rows that lie behind each other, in any number.
; RUN: opt -load-pass-plugin=%accx_plugin -passes='loop(simd-remainder-short)' -S %s | FileCheck %s

; CHECK: !llvm.loop ![[ID:[0-9]+]]
; CHECK: ![[ID]] = distinct !{![[ID]], ![[OFF:[0-9]+]], ![[MARK:[0-9]+]]}
; CHECK: ![[OFF]] = !{!"llvm.loop.unroll.disable", i32 1}
; CHECK: ![[MARK]] = !{!"accx.simd.short", i32 1}

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr noalias %c, ptr noalias readonly %a, i64 %n) #0 {
entry:
  br label %outer

outer:
  %j = phi i64 [ 0, %entry ], [ %jn, %latch ]
  %base = mul nuw nsw i64 %j, 16
  br label %loop

loop:
  %i = phi i64 [ 0, %outer ], [ %next, %loop ]
  %at = add nuw nsw i64 %base, %i
  %pa = getelementptr inbounds float, ptr %a, i64 %at
  %va = load float, ptr %pa, align 4
  %sum = fadd float %va, 1.0
  %pc = getelementptr inbounds float, ptr %c, i64 %at
  store float %sum, ptr %pc, align 4
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 15
  br i1 %done, label %latch, label %loop

latch:
  %jn = add nuw nsw i64 %j, 1
  %end = icmp eq i64 %jn, %n
  br i1 %end, label %exit, label %outer

exit:
  ret void
}

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
