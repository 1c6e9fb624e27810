; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Linear parameters give one access for all lanes: a vector, a vector backwards,
; a gather for other strides.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <8 x float> @_ZGVdN8l4ln4l12_f(ptr %p, ptr %q, ptr %r)
; CHECK-DAG: load <8 x float>, ptr %p, align 4
; CHECK-DAG: getelementptr i8, ptr %q, i64 -28
; CHECK-DAG: shufflevector <8 x float> %{{.*}}, <8 x float> poison, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
; CHECK-DAG: call <8 x float> @llvm.masked.gather.v8f32.v8p0(
; CHECK: ret <8 x float>

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define float @f(ptr %p, ptr %q, ptr %r) #0 {
  %a = load float, ptr %p
  %b = load float, ptr %q
  %c = load float, ptr %r
  %s = fadd float %a, %b
  %t = fadd float %s, %c
  ret float %t
}

attributes #0 = { nounwind "_ZGVdN8l4ln4l12_f" "target-features"="+avx2" }
