; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Of 32,000 iterations LLVM's vectorizer takes two vectors a turn: it is asked
; about the loop as it is, without a second counter, which would cost as much as
; another operation.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -pass-remarks=simd-remainder -S %s 2>&1 | FileCheck %s
; RUN: opt -passes=loop-vectorize -S %s | FileCheck %s --check-prefix=CHECK-LLVM

; CHECK: remark: {{.*}}main loop 2 vectors a turn
; CHECK-LLVM: add nuw i64 %index, 32

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr noalias %a, ptr noalias %b, ptr noalias %c, ptr noalias %d, ptr noalias %e) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pb = getelementptr inbounds float, ptr %b, i64 %i
  %vb = load float, ptr %pb, align 4
  %pc = getelementptr inbounds float, ptr %c, i64 %i
  %vc = load float, ptr %pc, align 4
  %s = fadd float %vb, %vc
  %pa = getelementptr inbounds float, ptr %a, i64 %i
  %va = load float, ptr %pa, align 4
  %pd = getelementptr inbounds float, ptr %d, i64 %i
  %vd = load float, ptr %pd, align 4
  %t = fadd float %va, %vd
  store float %t, ptr %pb, align 4
  %pe = getelementptr inbounds float, ptr %e, i64 %i
  %ve = load float, ptr %pe, align 4
  %u = fmul float %s, %ve
  store float %u, ptr %pa, align 4
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 32000
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

attributes #0 = { "target-cpu"="znver4" "prefer-vector-width"="512" }
