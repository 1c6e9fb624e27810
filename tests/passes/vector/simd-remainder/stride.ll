; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Every second element is read by loads of whole registers. The masked part has an
; iteration at least, so that one follows each whole vector, and what lies behind
; that is there; in the masked part masks come from one integer, the first 2 * n
; lanes without the gaps.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -S %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NOT: masked.gather
; CHECK: %[[BEFORE:.*]] = sub i64 %n, 1
; CHECK: %masked.trips = and i64 %[[BEFORE]], 15
; CHECK: add nuw nsw i64 %masked.trips, 1
; CHECK: %[[REGISTER:.*]] = load <16 x float>, ptr %{{.*}}, align 4
; CHECK-NOT: masked.load
; CHECK: load <16 x float>, ptr %{{.*}}, align 4
; CHECK: shufflevector <16 x float> %[[REGISTER]],
; CHECK-NOT: masked.load
; CHECK: mul i64 %{{.*}}, 2
; CHECK: %[[LANES:.*]] = and i32 %{{.*}}, 1431655765
; CHECK: %[[LOW:.*]] = trunc i32 %[[LANES]] to i16
; CHECK: %[[LOWMASK:.*]] = bitcast i16 %[[LOW]] to <16 x i1>
; CHECK: call <16 x float> @llvm.masked.load.v16f32.p0(ptr %{{.*}}, i32 4, <16 x i1> %[[LOWMASK]], <16 x float> poison)
; CHECK: %[[HIGH:.*]] = lshr i32 %[[LANES]], 16
; CHECK: %[[HIGHBITS:.*]] = trunc i32 %[[HIGH]] to i16
; CHECK: %[[HIGHMASK:.*]] = bitcast i16 %[[HIGHBITS]] to <16 x i1>
; CHECK: call <16 x float> @llvm.masked.load.v16f32.p0(ptr %{{.*}}, i32 4, <16 x i1> %[[HIGHMASK]], <16 x float> poison)
; CHECK-NOT: masked.gather
; CHECK-NOT: call <32 x float> @llvm.masked.load
; CHECK: ret void

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr noalias %c, ptr noalias readonly %a, ptr noalias readonly %b, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %twice = shl nuw nsw i64 %i, 1
  %pa = getelementptr inbounds float, ptr %a, i64 %twice
  %va = load float, ptr %pa, align 4
  %pb = getelementptr inbounds float, ptr %b, i64 %i
  %vb = load float, ptr %pb, align 4
  %sum = fadd float %va, %vb
  %pc = getelementptr inbounds float, ptr %c, i64 %i
  store float %sum, ptr %pc, align 4
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
