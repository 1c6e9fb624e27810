; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Nothing in code for other targets.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-calls,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <16 x float> @f(
; CHECK: %a = call
; CHECK-NEXT: %b = call
; CHECK-NEXT: %c = call

target triple = "nvptx64-nvidia-cuda"

declare <16 x float> @log16(<16 x float>) #0
declare <16 x float> @exp16(<16 x float>) #0

define <16 x float> @f(<16 x float> %x, <16 x float> %y) {
  %a = call <16 x float> @log16(<16 x float> %x)
  %b = call <16 x float> @exp16(<16 x float> %a)
  %c = call <16 x float> @log16(<16 x float> %y)
  %r = fadd <16 x float> %b, %c
  ret <16 x float> %r
}

attributes #0 = { nounwind willreturn memory(none) }
