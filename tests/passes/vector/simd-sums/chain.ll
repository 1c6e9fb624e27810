; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A chain of three sums becomes one: the vectors are added first. What both
; allow the addition may do. A second run finds nothing.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-sums,verify" -S %s | FileCheck %s
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-sums,simd-sums" -pass-remarks=simd-sums -S %s 2>&1 | FileCheck %s --check-prefix=CHECK-SAID

; CHECK-LABEL: define float @f(
; CHECK-NEXT: %[[SUM:.*]] = fadd reassoc nsz <16 x float> %b, %c
; CHECK-NEXT: %[[ALL:.*]] = fadd reassoc <16 x float> %a, %[[SUM]]
; CHECK-NEXT: %[[Z:.*]] = call reassoc float @llvm.vector.reduce.fadd.v16f32(float %s, <16 x float> %[[ALL]])
; CHECK-NEXT: ret float %[[Z]]
; CHECK-SAID-COUNT-1: remark: {{.*}}vectors are added before their lanes are: 2 horizontal sums fewer
; CHECK-SAID-NOT: remark:

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare float @llvm.vector.reduce.fadd.v16f32(float, <16 x float>)
declare float @llvm.vector.reduce.fadd.v8f32(float, <8 x float>)

define float @f(<16 x float> %a, <16 x float> %b, <16 x float> %c, float %s) {
  %x = call reassoc nnan float @llvm.vector.reduce.fadd.v16f32(float %s, <16 x float> %a)
  %y = call reassoc nsz float @llvm.vector.reduce.fadd.v16f32(float %x, <16 x float> %b)
  %z = call reassoc nsz float @llvm.vector.reduce.fadd.v16f32(float %y, <16 x float> %c)
  ret float %z
}
