; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Narrowed for its store only: zeros in inactive lanes keep the store from being a
; narrowing one, which is slow under a mask.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -S %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK: %[[MASK:.*]] = bitcast i{{.*}} to <[[LANES:.*]] x i1>
; CHECK: %[[NARROW:.*]] = trunc <[[LANES]] x i{{.*}}> %{{.*}} to <[[LANES]] x i8>
; CHECK: %[[VALUE:.*]] = select <[[LANES]] x i1> %[[MASK]], <[[LANES]] x i8> %[[NARROW]], <[[LANES]] x i8> zeroinitializer
; CHECK: call void @llvm.masked.store{{.*}}(<[[LANES]] x i8> %[[VALUE]]

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr noalias %c, ptr noalias readonly %a, ptr noalias readonly %b, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr inbounds i8, ptr %a, i64 %i
  %va = load i8, ptr %pa, align 1
  %wa = zext i8 %va to i32
  %pb = getelementptr inbounds i8, ptr %b, i64 %i
  %vb = load i8, ptr %pb, align 1
  %wb = zext i8 %vb to i32
  %one = add nuw nsw i32 %wa, 1
  %sum = add nuw nsw i32 %one, %wb
  %half = lshr i32 %sum, 2
  %mean = trunc i32 %half to i8
  %pc = getelementptr inbounds i8, ptr %c, i64 %i
  store i8 %mean, ptr %pc, align 1
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
