; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function that calls variants on wide vectors aligns its stack for them: what
; lives across the calls is spilled. Not for vectors of 128 bits, which are
; aligned anyway, nor where the function must not, nor for less than it has.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function-finish,verify" -S %s | FileCheck %s
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function-finish" -S %s | opt -load-pass-plugin=%accx_plugin -passes="simd-function-finish,verify" -S | FileCheck %s
; RUN: sed s/x86_64-unknown-linux-gnu/aarch64-unknown-linux-gnu/ %s | opt -load-pass-plugin=%accx_plugin -passes="simd-function-finish,verify" -S | FileCheck %s --check-prefix=CHECK-OTHER
; RUN: llc-19 -mtriple=x86_64-unknown-linux-gnu -mcpu=skylake-avx512 %s -o - | FileCheck %s --check-prefix=CHECK-BEFORE
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function-finish" %s | llc-19 -mcpu=skylake-avx512 -o - | FileCheck %s --check-prefix=CHECK-AFTER

; CHECK: define <16 x float> @wide(<16 x float> %x) #[[WIDE:[0-9]+]]
; CHECK: define <8 x float> @half(<8 x float> %x) #[[HALF:[0-9]+]]
; CHECK: define <4 x float> @small(<4 x float> %x) {
; CHECK: define <16 x float> @never(<16 x float> %x) #[[NEVER:[0-9]+]]
; CHECK: define <8 x float> @more(<8 x float> %x) #[[MORE:[0-9]+]]
; CHECK-DAG: attributes #[[WIDE]] = { alignstack=64 }
; CHECK-DAG: attributes #[[HALF]] = { alignstack=32 }
; CHECK-DAG: attributes #[[NEVER]] = { "no-realign-stack" }
; CHECK-DAG: attributes #[[MORE]] = { alignstack=128 }
; CHECK-OTHER-NOT: alignstack=64

; CHECK-BEFORE-LABEL: wide:
; CHECK-BEFORE-NOT: andq $-64, %rsp
; CHECK-BEFORE: vmovups %zmm0, {{.*}}(%rsp)
; CHECK-AFTER-LABEL: wide:
; CHECK-AFTER: andq $-64, %rsp
; CHECK-AFTER: vmovaps %zmm0, (%rsp)

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare <16 x float> @_ZGVeN16v_logf(<16 x float>)
declare <8 x float> @_ZGVdN8v_logf(<8 x float>)
declare <4 x float> @_ZGVbN4v_logf(<4 x float>)

define <16 x float> @wide(<16 x float> %x) {
  %log = call <16 x float> @_ZGVeN16v_logf(<16 x float> %x)
  %sum = fadd <16 x float> %log, %x
  ret <16 x float> %sum
}

define <8 x float> @half(<8 x float> %x) {
  %log = call <8 x float> @_ZGVdN8v_logf(<8 x float> %x)
  %sum = fadd <8 x float> %log, %x
  ret <8 x float> %sum
}

define <4 x float> @small(<4 x float> %x) {
  %log = call <4 x float> @_ZGVbN4v_logf(<4 x float> %x)
  %sum = fadd <4 x float> %log, %x
  ret <4 x float> %sum
}

define <16 x float> @never(<16 x float> %x) #0 {
  %log = call <16 x float> @_ZGVeN16v_logf(<16 x float> %x)
  %sum = fadd <16 x float> %log, %x
  ret <16 x float> %sum
}

define <8 x float> @more(<8 x float> %x) #1 {
  %log = call <8 x float> @_ZGVdN8v_logf(<8 x float> %x)
  %sum = fadd <8 x float> %log, %x
  ret <8 x float> %sum
}

attributes #0 = { "no-realign-stack" }
attributes #1 = { alignstack=128 }
