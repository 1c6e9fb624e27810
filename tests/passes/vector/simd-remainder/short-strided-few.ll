; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; With few iterations the unroller has them.
; RUN: opt -load-pass-plugin=%accx_plugin -passes='loop(simd-remainder-short)' -S %s | FileCheck %s

; CHECK: ret
; CHECK-NOT: accx.simd.short

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr noalias %c, ptr noalias readonly %a) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %la = mul nuw nsw i64 %i, 2
  %pa = getelementptr inbounds float, ptr %a, i64 %la
  %va = load float, ptr %pa, align 4
  %sum = fadd float %va, 1.0
  %sc = mul nuw nsw i64 %i, 1
  %pc = getelementptr inbounds float, ptr %c, i64 %sc
  store float %sum, ptr %pc, align 4
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 15
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
