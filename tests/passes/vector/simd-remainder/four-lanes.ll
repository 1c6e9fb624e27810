; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Masks of fewer than 16 lanes are part of one of 16.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -S %s | FileCheck %s

; CHECK: bitcast i16 %{{.*}} to <16 x i1>
; CHECK-NEXT: shufflevector <16 x i1> %{{.*}}, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK: call <4 x double> @llvm.masked.load.v4f64

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr noalias %c, ptr noalias readonly %a, ptr noalias readonly %b, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr inbounds double, ptr %a, i64 %i
  %va = load double, ptr %pa, align 8
  %pb = getelementptr inbounds double, ptr %b, i64 %i
  %vb = load double, ptr %pb, align 8
  %sum = fadd double %va, %vb
  %pc = getelementptr inbounds double, ptr %c, i64 %i
  store double %sum, ptr %pc, align 8
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="256" }
