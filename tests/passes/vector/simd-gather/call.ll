; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The second may never be reached.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-gather -S %s -o - \
; RUN:   -pass-remarks-missed=simd-gather 2>&1 | FileCheck %s

; CHECK: remark: {{.*}}: neighbours are gathered one by one: code between them may write memory, or not go on
; CHECK-NOT: remark:
; CHECK-LABEL: define <8 x float> @f(
; CHECK-NOT: <8 x i64> @llvm.masked.gather
; CHECK: ret

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define <8 x float> @f(ptr %a, <8 x i32> %i, <8 x i1> %m) #0 {
  %e = sext <8 x i32> %i to <8 x i64>
  %p = getelementptr inbounds float, ptr %a, <8 x i64> %e
  %q = getelementptr i8, <8 x ptr> %p, i64 4
  %x = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %p, i32 4, <8 x i1> %m, <8 x float> poison)
  call void @stop()
  %y = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %q, i32 4, <8 x i1> %m, <8 x float> poison)
  %r = fsub <8 x float> %y, %x
  ret <8 x float> %r
}

declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x float>)
declare void @stop() memory(none)

attributes #0 = { "target-cpu"="skylake-avx512" }
