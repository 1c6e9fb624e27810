; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What all lanes read from one address under a divergent condition is read only
; if a lane is there: the address may be that of no object otherwise.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <4 x i32> @_ZGVbN4vu_f(<4 x i32> %x, ptr %p)
; CHECK: %[[C:.*]] = icmp sgt <4 x i32> %x, zeroinitializer
; CHECK: %[[B:.*]] = bitcast <4 x i1> %{{.*}} to i4
; CHECK: %[[N:.*]] = icmp eq i4 %[[B]], 0
; CHECK: br i1 %[[N]], label %[[JOIN:.*]], label %[[THEN:.*]]
; CHECK: [[THEN]]:
; CHECK: load i32, ptr %p
; CHECK: [[JOIN]]:
; CHECK: ret <4 x i32>

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @f(i32 %x, ptr %p) #0 {
entry:
  %c = icmp sgt i32 %x, 0
  br i1 %c, label %then, label %join
then:
  %l = load i32, ptr %p
  %a = add i32 %x, %l
  br label %join
join:
  %r = phi i32 [ %a, %then ], [ %x, %entry ]
  ret i32 %r
}

attributes #0 = { nounwind "_ZGVbN4vu_f" }
