; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call under the condition.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -S %s | FileCheck %s

; CHECK-LABEL: define {{.*}} @f(
; CHECK-NOT: <{{[0-9]+}} x
; CHECK: ret

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define float @f(ptr noalias readonly %a, ptr noalias readonly %c, ptr noalias %p, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %last = phi float [ 0.000000e+00, %entry ], [ %last.next, %latch ]
  %pa = getelementptr inbounds float, ptr %a, i64 %i
  %va = load float, ptr %pa, align 4
  %chosen = fcmp ogt float %va, 0.000000e+00
  br i1 %chosen, label %then, label %latch

then:
  %pc = getelementptr inbounds float, ptr %c, i64 %i
  %vc = load float, ptr %pc, align 4
  call void @g()
  br label %latch

latch:
  %last.next = phi float [ %vc, %then ], [ %last, %loop ]
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  %last.out = phi float [ %last.next, %latch ]
  ret float %last.out
}

declare void @g()

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
