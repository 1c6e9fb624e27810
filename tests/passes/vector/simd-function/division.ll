; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Division for lanes that are not there must not trap.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <4 x i32> @_ZGVbN4vv_f(<4 x i32> %a, <4 x i32> %b)
; CHECK: %[[F:.*]] = freeze <4 x i32> %b
; CHECK: %[[S:.*]] = call <4 x i32> @llvm.umax.v4i32(<4 x i32> %[[F]], <4 x i32> <i32 1, i32 1, i32 1, i32 1>)
; CHECK: sdiv <4 x i32> %a, %[[S]]

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @f(i32 %a, i32 %b) #0 {
entry:
  %c = icmp eq i32 %b, 0
  br i1 %c, label %join, label %then
then:
  %d = sdiv i32 %a, %b
  br label %join
join:
  %r = phi i32 [ %d, %then ], [ 0, %entry ]
  ret i32 %r
}

attributes #0 = { nounwind "_ZGVbN4vv_f" }
