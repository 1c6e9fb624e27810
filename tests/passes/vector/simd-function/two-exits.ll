; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes that leave a loop by different exits bring different values to where the
; ways meet, though each way's value is one for all lanes. The header, where the
; first exit is, branches divergently itself.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <4 x i32> @_ZGVbN4v_f(<4 x i32> %x)
; CHECK: select <4 x i1> %{{.*}}, <4 x i32> <i32 {{[12]}}, i32 {{[12]}}, i32 {{[12]}}, i32 {{[12]}}>, <4 x i32>
; CHECK: ret <4 x i32>

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @f(i32 %x) #0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = icmp eq i32 %i, %x
  br i1 %c, label %first, label %latch
latch:
  %next = add i32 %i, 1
  %sq = mul i32 %next, %next
  %d = icmp sgt i32 %sq, %x
  br i1 %d, label %second, label %loop
first:
  br label %join
second:
  br label %join
join:
  %r = phi i32 [ 1, %first ], [ 2, %second ]
  ret i32 %r
}

attributes #0 = { nounwind "_ZGVbN4v_f" }
