; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A step that is another parameter: addresses of lanes are computed.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <4 x i32> @_ZGVbN4ls1u_f(i32 %i, i32 %s)
; CHECK: mul <4 x i{{32|64}}> %{{.*}}, <i{{32|64}} 0, i{{32|64}} 1, i{{32|64}} 2, i{{32|64}} 3>
; CHECK: ret <4 x i32>

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @f(i32 %i, i32 %s) #0 {
  %a = mul i32 %i, %i
  ret i32 %a
}

attributes #0 = { nounwind "_ZGVbN4ls1u_f" }
