; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Calls: an intrinsic has a vector form, a function with variants its variant of
; the same shape, masked where not all lanes are there; any other function is
; called for each lane that is there.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <4 x float> @_ZGVbN4v_f(<4 x float> %x)
; CHECK: call <4 x float> @llvm.sqrt.v4f32(<4 x float> %x)
; CHECK: call <4 x float> @_ZGVbN4v_g(
; CHECK: call <4 x float> @_ZGVbM4v_g.lanes(
; CHECK: ret <4 x float>
; CHECK: call {{.*}}i4 @llvm.cttz.i4(i4
; CHECK: call float @h(float
; CHECK: br i1

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare float @llvm.sqrt.f32(float)
declare float @g(float) #1
declare float @h(float)
define float @f(float %x) #0 {
entry:
  %s = call float @llvm.sqrt.f32(float %x)
  %g = call float @g(float %s)
  %c = fcmp ogt float %g, 1.0
  br i1 %c, label %then, label %join
then:
  %m = call float @g(float %g)
  %h = call float @h(float %m)
  br label %join
join:
  %r = phi float [ %h, %then ], [ %g, %entry ]
  ret float %r
}

attributes #0 = { nounwind "_ZGVbN4v_f" }
attributes #1 = { nounwind "_ZGVbN4v_g" "_ZGVbM4v_g" }
