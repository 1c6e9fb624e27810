; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Calls know the variants that their function's target may execute, the best of
; each shape, and only those.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK-LABEL: define i32 @sse(
; CHECK: call i32 @f(i32 %x) #[[SSE:[0-9]+]]
; CHECK-LABEL: define i32 @avx512(
; CHECK: call i32 @f(i32 %x) #[[ALL:[0-9]+]]
; CHECK-DAG: attributes #[[SSE]] = { "vector-function-abi-variant"="_ZGVbN4v_f(_ZGVbN4v_f)" }
; CHECK-DAG: attributes #[[ALL]] = { "vector-function-abi-variant"="_ZGVeM16v_f(_ZGVeM16v_f.lanes),_ZGVdN8v_f(_ZGVdN8v_f),_ZGVbN4v_f(_ZGVbN4v_f)" }

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @f(i32) #0
define i32 @sse(i32 %x) {
  %a = call i32 @f(i32 %x)
  ret i32 %a
}
define i32 @avx512(i32 %x) #1 {
  %a = call i32 @f(i32 %x)
  ret i32 %a
}

attributes #0 = { nounwind "_ZGVbN4v_f" "_ZGVcN8v_f" "_ZGVdN8v_f" "_ZGVeM16v_f" }
attributes #1 = { "target-features"="+avx,+avx2,+avx512f" }
