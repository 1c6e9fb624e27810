; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; On Zen it is the loads' cache lines that count, those of most loads first.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -accx-simd-remainder-min-peel=24 -pass-remarks-analysis=simd-remainder -S %s -o %t 2>&1 | FileCheck %s --check-prefix=CHECK-REMARK
; RUN: FileCheck %s < %t

; CHECK-REMARK: one of 3 sets of arrays is aligned
; CHECK-LABEL: define void @f(
; CHECK: %[[BEGIN:.*]] = ptrtoint ptr %b to i64
; CHECK: %[[MINUS:.*]] = sub i64 0, %[[BEGIN]]
; CHECK: %[[MISSING:.*]] = and i64 %[[MINUS]], 63
; CHECK: udiv i64 %[[MISSING]], 4
; CHECK: ret void

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr noalias %c, ptr noalias readonly %a, ptr noalias readonly %b, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr inbounds float, ptr %a, i64 %i
  %va = load float, ptr %pa, align 4
  %pb = getelementptr inbounds float, ptr %b, i64 %i
  %vb = load float, ptr %pb, align 4
  %behind = add nuw nsw i64 %i, 16
  %pb2 = getelementptr inbounds float, ptr %b, i64 %behind
  %vb2 = load float, ptr %pb2, align 4
  %sum.b = fadd float %vb2, %vb
  %sum = fadd float %va, %sum.b
  %pc = getelementptr inbounds float, ptr %c, i64 %i
  store float %sum, ptr %pc, align 4
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

attributes #0 = { "target-cpu"="znver4" "prefer-vector-width"="512" }
