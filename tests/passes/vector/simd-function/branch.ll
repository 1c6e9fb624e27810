; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A divergent branch becomes a blend: nothing but the entry is left.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <4 x i32> @_ZGVbN4v_f(<4 x i32> %x)
; CHECK-NOT: br
; CHECK: %[[C:.*]] = icmp slt <4 x i32> %x, <i32 1, i32 1, i32 1, i32 1>
; CHECK-NOT: br
; CHECK: select <4 x i1> %[[C]]
; CHECK-NOT: br
; CHECK: ret <4 x i32>

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @f(i32 %x) #0 {
entry:
  %c = icmp sgt i32 %x, 0
  br i1 %c, label %then, label %else
then:
  %a = mul i32 %x, 3
  br label %join
else:
  %b = sub i32 7, %x
  br label %join
join:
  %r = phi i32 [ %a, %then ], [ %b, %else ]
  ret i32 %r
}

attributes #0 = { nounwind "_ZGVbN4v_f" }
