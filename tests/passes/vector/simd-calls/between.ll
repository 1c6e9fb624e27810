; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What waits for neither goes between a logarithm and what needs it, with the
; load and the product that it takes. A second run finds nothing.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-calls,verify" -S %s | FileCheck %s
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-calls,simd-calls" -pass-remarks=simd-calls -S %s 2>&1 | FileCheck %s --check-prefix=CHECK-SAID

; CHECK-LABEL: define <16 x float> @f(
; CHECK: %a = call <16 x float> @log16(<16 x float> %x)
; CHECK-NEXT: %h = fadd <16 x float> %a, %x
; CHECK-NEXT: %t = load <16 x float>, ptr %p
; CHECK-NEXT: %u = fmul <16 x float> %t, %x
; CHECK-NEXT: %c = call <16 x float> @exp16(<16 x float> %u)
; CHECK-NEXT: %b = call <16 x float> @exp16(<16 x float> %h)
; CHECK-NEXT: %r = fadd <16 x float> %b, %c
; CHECK-SAID-COUNT-1: remark: {{.*}}calls that need not wait go first: 1
; CHECK-SAID-NOT: remark:

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare <16 x float> @log16(<16 x float>) #0
declare <16 x float> @exp16(<16 x float>) #0

define <16 x float> @f(<16 x float> %x, ptr %p) {
  %a = call <16 x float> @log16(<16 x float> %x)
  %h = fadd <16 x float> %a, %x
  %b = call <16 x float> @exp16(<16 x float> %h)
  %t = load <16 x float>, ptr %p, align 64
  %u = fmul <16 x float> %t, %x
  %c = call <16 x float> @exp16(<16 x float> %u)
  %r = fadd <16 x float> %b, %c
  ret <16 x float> %r
}

attributes #0 = { nounwind willreturn memory(none) }
