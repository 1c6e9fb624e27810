; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Integers, too: partial sums may wrap elsewhere.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-complex -S %s | FileCheck %s

; CHECK-LABEL: define i32 @f(
; CHECK-NOT: i32 0, i32 2, i32 4
; CHECK-NOT: nsw <8
; CHECK: exit:
; CHECK: sub i32
; CHECK: ret

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @f(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %n, i32 %s) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %re = phi <8 x i32> [ zeroinitializer, %entry ], [ %re.next, %loop ]
  %im = phi <8 x i32> [ zeroinitializer, %entry ], [ %im.next, %loop ]
  %at = shl nuw nsw i64 %i, 1
  %pa = getelementptr inbounds i32, ptr %a, i64 %at
  %wa = load <16 x i32>, ptr %pa, align 4
  %ae = shufflevector <16 x i32> %wa, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %ao = shufflevector <16 x i32> %wa, <16 x i32> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %pb = getelementptr inbounds i32, ptr %b, i64 %at
  %wb = load <16 x i32>, ptr %pb, align 4
  %be = shufflevector <16 x i32> %wb, <16 x i32> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %bo = shufflevector <16 x i32> %wb, <16 x i32> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %p1 = mul <8 x i32> %ae, %be
  %p2 = mul <8 x i32> %ao, %bo
  %r1 = add nsw <8 x i32> %p1, %re
  %re.next = sub nsw <8 x i32> %r1, %p2
  %p3 = mul <8 x i32> %ae, %bo
  %p4 = mul <8 x i32> %ao, %be
  %i1 = add nsw <8 x i32> %p3, %im
  %im.next = add nsw <8 x i32> %i1, %p4
  %next = add nuw nsw i64 %i, 8
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  %r = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %re.next)
  %j = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %im.next)
  store i32 %j, ptr %c, align 4
  ret i32 %r
}

declare i32 @llvm.vector.reduce.add.v8i32(<8 x i32>)

attributes #0 = { "target-cpu"="skylake-avx512" }
