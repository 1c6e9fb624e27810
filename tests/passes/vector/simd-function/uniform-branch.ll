; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A branch on a uniform parameter remains a branch, and its load one load.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <4 x i32> @_ZGVbN4vuu_f(<4 x i32> %x, ptr %p, i32 %u)
; CHECK: %[[C:.*]] = icmp sgt i32 %u, 0
; CHECK: br i1 %[[C]],
; CHECK: load i32, ptr %p
; CHECK: call void @g(
; CHECK: ret <4 x i32>

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @g(i32)
define i32 @f(i32 %x, ptr %p, i32 %u) #0 {
entry:
  %c = icmp sgt i32 %u, 0
  br i1 %c, label %then, label %join
then:
  %l = load i32, ptr %p
  call void @g(i32 %x)
  %a = add i32 %x, %l
  br label %join
join:
  %r = phi i32 [ %a, %then ], [ %x, %entry ]
  ret i32 %r
}

attributes #0 = { nounwind "_ZGVbN4vuu_f" }
