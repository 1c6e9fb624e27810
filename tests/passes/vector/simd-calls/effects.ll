; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Calls that set errno or may throw stay where they are.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-calls,verify" -S %s | FileCheck %s

; CHECK-LABEL: define <16 x float> @f(
; CHECK: %a = call
; CHECK-NEXT: %b = call
; CHECK-NEXT: %c = call <16 x float> @errno16(
; CHECK-NEXT: %d = call <16 x float> @throw16(

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare <16 x float> @log16(<16 x float>) #0
declare <16 x float> @exp16(<16 x float>) #0

declare <16 x float> @errno16(<16 x float>) nounwind willreturn
declare <16 x float> @throw16(<16 x float>) willreturn memory(none)

define <16 x float> @f(<16 x float> %x, <16 x float> %y) {
  %a = call <16 x float> @log16(<16 x float> %x)
  %b = call <16 x float> @exp16(<16 x float> %a)
  %c = call <16 x float> @errno16(<16 x float> %y)
  %d = call <16 x float> @throw16(<16 x float> %y)
  %s = fadd <16 x float> %b, %c
  %r = fadd <16 x float> %s, %d
  ret <16 x float> %r
}

attributes #0 = { nounwind willreturn memory(none) }
