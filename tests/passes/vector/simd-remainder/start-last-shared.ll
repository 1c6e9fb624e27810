; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Two sums that begin with the same value: each keeps it in its first vector,
; which nothing tells from the other's.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -S %s | FileCheck %s

; CHECK-LABEL: define float @f(
; CHECK: insertelement <16 x float> {{.*}}float %x, i64 0
; CHECK: @llvm.vector.reduce.fadd.v16f32(float {{-?}}0.000000e+00,
; CHECK: @llvm.vector.reduce.fadd.v16f32(float {{-?}}0.000000e+00,
; CHECK: ret float

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define float @f(ptr readonly %a, ptr readonly %b, float %x, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ %x, %entry ], [ %sum, %loop ]
  %t = phi float [ %x, %entry ], [ %other, %loop ]
  %pa = getelementptr inbounds float, ptr %a, i64 %i
  %va = load float, ptr %pa, align 4
  %sum = fadd reassoc nsz float %s, %va
  %pb = getelementptr inbounds float, ptr %b, i64 %i
  %vb = load float, ptr %pb, align 4
  %other = fadd reassoc nsz float %t, %vb
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  %lasts = phi float [ %sum, %loop ]
  %lastt = phi float [ %other, %loop ]
  %both = fmul float %lasts, %lastt
  ret float %both
}

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
