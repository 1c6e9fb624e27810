; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Every second element.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -S %s | FileCheck %s

; CHECK-LABEL: define {{.*}} @f(
; CHECK-NOT: <{{[0-9]+}} x
; CHECK: ret

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i64 @f(ptr noalias readonly %a, i64 %n, float %start) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = phi i64 [ -1, %entry ], [ %at.next, %loop ]
  %best = phi float [ %start, %entry ], [ %best.next, %loop ]
  %scaled = mul nuw nsw i64 %i, 2
  %pa = getelementptr inbounds float, ptr %a, i64 %scaled
  %va = load float, ptr %pa, align 4
  %better = fcmp olt float %va, %best
  %best.next = select i1 %better, float %va, float %best
  %at.next = select i1 %better, i64 %i, i64 %at
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  %at.out = phi i64 [ %at.next, %loop ]
  ret i64 %at.out
}

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
