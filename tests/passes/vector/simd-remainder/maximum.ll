; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A maximum starts in every lane, and goes on in the vector.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -S %s | FileCheck %s

; CHECK-LABEL: define i32 @f(
; CHECK-NOT: vector.reduce
; CHECK: call i32 @llvm.vector.reduce.smax.v16i32(
; CHECK-NOT: vector.reduce
; CHECK: ret i32

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @f(ptr readonly %a, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ -7, %entry ], [ %sum, %loop ]
  %pa = getelementptr inbounds i32, ptr %a, i64 %i
  %va = load i32, ptr %pa, align 4
  %sum = call i32 @llvm.smax.i32(i32 %s, i32 %va)
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  %last = phi i32 [ %sum, %loop ]
  ret i32 %last
}

declare i32 @llvm.smax.i32(i32, i32)

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
