; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A product without its other half keeps both vectors apart.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-complex -S %s | FileCheck %s

; CHECK-LABEL: define float @f(
; CHECK-NOT: <i32 0, i32 1, i32 2
; CHECK-NOT: <i32 1, i32 0
; CHECK: ret

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define float @f(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %n, float %s) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %re = phi <8 x float> [ zeroinitializer, %entry ], [ %re.next, %loop ]
  %im = phi <8 x float> [ zeroinitializer, %entry ], [ %im.next, %loop ]
  %at = shl nuw nsw i64 %i, 1
  %pa = getelementptr inbounds float, ptr %a, i64 %at
  %wa = load <16 x float>, ptr %pa, align 4
  %ae = shufflevector <16 x float> %wa, <16 x float> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %ao = shufflevector <16 x float> %wa, <16 x float> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %pb = getelementptr inbounds float, ptr %b, i64 %at
  %wb = load <16 x float>, ptr %pb, align 4
  %be = shufflevector <16 x float> %wb, <16 x float> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %bo = shufflevector <16 x float> %wb, <16 x float> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %p1 = fmul fast <8 x float> %ae, %be
  %p2 = fmul fast <8 x float> %ao, %bo
  %r1 = fadd fast <8 x float> %p1, %re
  %re.next = fsub fast <8 x float> %r1, %p2
  %p3 = fmul fast <8 x float> %ae, %bo
  %im.next = fadd fast <8 x float> %p3, %im
  %next = add nuw nsw i64 %i, 8
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  %r = call fast float @llvm.vector.reduce.fadd.v8f32(float -0.0, <8 x float> %re.next)
  %j = call fast float @llvm.vector.reduce.fadd.v8f32(float -0.0, <8 x float> %im.next)
  store float %j, ptr %c, align 4
  ret float %r
}

declare float @llvm.vector.reduce.fadd.v8f32(float, <8 x float>)

attributes #0 = { "target-cpu"="skylake-avx512" }
