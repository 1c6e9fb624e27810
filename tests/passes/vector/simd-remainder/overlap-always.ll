; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A row is computed from one of its own elements: vectors would never run.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -pass-remarks-missed=simd-remainder -S %s -o %t 2>&1 | FileCheck %s --check-prefix=CHECK-REMARK
; RUN: FileCheck %s < %t

; CHECK-REMARK: remainder stays scalar: one of its stores always changes what all its iterations load
; CHECK-LABEL: define void @f(
; CHECK-NOT: <16 x
; CHECK: ret void

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %row, ptr noalias readonly %b) #0 {
entry:
  br label %outer

outer:
  %k = phi i64 [ 0, %entry ], [ %k.next, %latch ]
  %pk = getelementptr inbounds i32, ptr %row, i64 %k
  br label %loop

loop:
  %i = phi i64 [ 0, %outer ], [ %next, %loop ]
  %vk = load i32, ptr %pk, align 4
  %pb = getelementptr inbounds i32, ptr %b, i64 %i
  %vb = load i32, ptr %pb, align 4
  %sum = add i32 %vb, %vk
  %pa = getelementptr inbounds i32, ptr %row, i64 %i
  store i32 %sum, ptr %pa, align 4
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 180
  br i1 %done, label %latch, label %loop

latch:
  %k.next = add nuw nsw i64 %k, 1
  %end = icmp eq i64 %k.next, 180
  br i1 %end, label %exit, label %outer

exit:
  ret void
}

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
