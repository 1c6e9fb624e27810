; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nothing in functions that are not to be optimized.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-sums,verify" -S %s | FileCheck %s

; CHECK-LABEL: define float @f(
; CHECK-COUNT-2: call reassoc float @llvm.vector.reduce.fadd
; CHECK: ret

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare float @llvm.vector.reduce.fadd.v16f32(float, <16 x float>)
declare float @llvm.vector.reduce.fadd.v8f32(float, <8 x float>)

define float @f(<16 x float> %a, <16 x float> %b, float %s) #0 {
  %x = call reassoc float @llvm.vector.reduce.fadd.v16f32(float %s, <16 x float> %a)
  %y = call reassoc float @llvm.vector.reduce.fadd.v16f32(float %x, <16 x float> %b)
  ret float %y
}

attributes #0 = { noinline optnone }
