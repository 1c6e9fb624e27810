; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A second run finds nothing to do.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,simd-function,verify" -S %s | FileCheck %s

; CHECK-COUNT-1: define <4 x i32> @_ZGVbN4v_f(
; CHECK-NOT: @_ZGVbN4v_f.1

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @f(i32 %x) #0 {
  ret i32 %x
}

attributes #0 = { nounwind "_ZGVbN4v_f" }
