; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The call goes where fewest vectors live across it: behind the sum that takes
; the logarithm, two others and leaves one.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-calls,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <16 x float> @f(
; CHECK: %a = call
; CHECK-NEXT: %g = fmul
; CHECK-NEXT: %h = fadd
; CHECK-NEXT: %c = call
; CHECK-NEXT: %i = fmul
; CHECK-NEXT: %j = fadd
; CHECK-NEXT: %b = call

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare <16 x float> @log16(<16 x float>) #0
declare <16 x float> @exp16(<16 x float>) #0

define <16 x float> @f(<16 x float> %x, <16 x float> %y, ptr %p, ptr %q) {
  %s = load <16 x float>, ptr %p, align 64
  %t = load <16 x float>, ptr %q, align 64
  %a = call <16 x float> @log16(<16 x float> %x)
  %g = fmul <16 x float> %a, %s
  %h = fadd <16 x float> %g, %t
  %i = fmul <16 x float> %h, %h
  %j = fadd <16 x float> %i, %x
  %b = call <16 x float> @exp16(<16 x float> %j)
  %c = call <16 x float> @exp16(<16 x float> %y)
  %k = fadd <16 x float> %b, %h
  %r = fadd <16 x float> %k, %c
  ret <16 x float> %r
}

attributes #0 = { nounwind willreturn memory(none) }
