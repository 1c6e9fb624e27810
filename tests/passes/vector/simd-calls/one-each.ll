; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Chains: one call goes between two, no more, so that few results live across
; calls.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-calls,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <16 x float> @f(
; CHECK: %a = call
; CHECK-NEXT: %c = call
; CHECK-NEXT: %b = call
; CHECK-NEXT: %d = call
; CHECK-NEXT: %e = call
; CHECK-NEXT: %g = call

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare <16 x float> @log16(<16 x float>) #0
declare <16 x float> @exp16(<16 x float>) #0

define <16 x float> @f(<16 x float> %x, <16 x float> %y, <16 x float> %z) {
  %a = call <16 x float> @log16(<16 x float> %x)
  %b = call <16 x float> @exp16(<16 x float> %a)
  %c = call <16 x float> @log16(<16 x float> %y)
  %d = call <16 x float> @exp16(<16 x float> %c)
  %e = call <16 x float> @log16(<16 x float> %z)
  %g = call <16 x float> @exp16(<16 x float> %e)
  %s = fadd <16 x float> %b, %d
  %r = fadd <16 x float> %s, %g
  ret <16 x float> %r
}

attributes #0 = { nounwind willreturn memory(none) }
