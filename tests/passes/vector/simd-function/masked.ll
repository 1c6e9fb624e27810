; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Masked variants: an integer with AVX-512, a vector of integers as wide as the
; result otherwise. Without any lane they return at once; accesses are masked.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <16 x float> @_ZGVeM16l4_f(ptr %{{.*}}, i32 %{{.*}})
; CHECK: %[[T:.*]] = trunc i32 %{{.*}} to i16
; CHECK: %[[N:.*]] = icmp eq i16 %{{.*}}, 0
; CHECK: br i1 %[[N]],
; CHECK: call <16 x float> @llvm.masked.load.v16f32.p0(ptr %{{.*}}, i32 4, <16 x i1> %{{.*}}, <16 x float> poison)
; CHECK: ret <16 x float>
; CHECK-LABEL: define <8 x float> @_ZGVdM8l4_f(ptr %{{.*}}, <8 x i32> %{{.*}})
; CHECK: icmp ne <8 x i32> %{{.*}}, zeroinitializer
; CHECK: call <8 x float> @llvm.masked.load.v8f32.p0(

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define float @f(ptr %p) #0 {
  %a = load float, ptr %p
  ret float %a
}

attributes #0 = { nounwind "_ZGVeM16l4_f" "_ZGVdM8l4_f" "target-features"="+avx512f" }
