; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; That no iteration is chosen yet is zero, which needs no register's old value.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -S %s | FileCheck %s

; CHECK-LABEL: define float @f(
; CHECK-NOT: splat (i32 -1)
; CHECK: select.main:
; CHECK: phi <16 x i32> [ <i32 1, i32 2, i32 3, {{.*}}, %select.entry ]
; CHECK: phi <16 x i32> [ zeroinitializer, %select.entry ]
; CHECK: select.end:
; CHECK: %[[AT:.*]] = extractelement <2 x i32>
; CHECK: icmp ne i32 %[[AT]], 0
; CHECK: select.found:
; CHECK: zext i32 %[[AT]] to i64
; CHECK-NEXT: sub nuw nsw i64 %{{.*}}, 1

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

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
