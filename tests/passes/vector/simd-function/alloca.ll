; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Each lane has its own copy of a local array.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <4 x i32> @_ZGVbN4vv_f(<4 x i32> %i, <4 x i32> %v)
; CHECK: alloca [128 x i8], align 16
; CHECK: call void @llvm.masked.scatter.v4i32.v4p0(
; CHECK: call <4 x i32> @llvm.masked.gather.v4i32.v4p0(

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @f(i32 %i, i32 %v) #0 {
  %a = alloca [8 x i32], align 16
  %z = zext i32 %i to i64
  %p = getelementptr [8 x i32], ptr %a, i64 0, i64 %z
  store i32 %v, ptr %p
  %q = getelementptr [8 x i32], ptr %a, i64 0, i64 3
  %r = load i32, ptr %q
  ret i32 %r
}

attributes #0 = { nounwind "_ZGVbN4vv_f" }
