; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Straight code: one vector operation for each, no mask.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <16 x float> @_ZGVeN16vv_f(<16 x float> %a, <16 x float> %b)
; CHECK-NEXT: entry:
; CHECK-NEXT: fadd <16 x float> %{{[ab]}}, %{{[ab]}}
; CHECK-NEXT: ret <16 x float>

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define float @f(float %a, float %b) #0 {
  %s = fadd float %a, %b
  ret float %s
}

attributes #0 = { nounwind "_ZGVeN16vv_f" "target-features"="+avx512f" }
