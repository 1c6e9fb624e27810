; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Two gathers of neighbours are one.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-gather -S %s -o - \
; RUN:   -pass-remarks=simd-gather 2>&1 | FileCheck %s

; CHECK: remark: {{.*}}: neighbours are gathered as one element: 1 pair{{$}}
; CHECK-LABEL: define <8 x float> @f(
; CHECK: %[[W:.*]] = call <8 x i64> @llvm.masked.gather.v8i64.v8p0(<8 x ptr> %p, i32 4, <8 x i1> %m, <8 x i64> poison)
; CHECK: %[[B:.*]] = bitcast <8 x i64> %[[W]] to <16 x float>
; CHECK-DAG: shufflevector <16 x float> %[[B]], <16 x float> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
; CHECK-DAG: shufflevector <16 x float> %[[B]], <16 x float> poison, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
; CHECK-NOT: masked.gather
; CHECK: ret

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define <8 x float> @f(ptr %a, <8 x i32> %i, <8 x i1> %m) #0 {
  %e = sext <8 x i32> %i to <8 x i64>
  %p = getelementptr inbounds float, ptr %a, <8 x i64> %e
  %q = getelementptr i8, <8 x ptr> %p, i64 4
  %x = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %p, i32 4, <8 x i1> %m, <8 x float> poison)
  %y = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %q, i32 4, <8 x i1> %m, <8 x float> poison)
  %r = fsub <8 x float> %y, %x
  ret <8 x float> %r
}

declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x float>)

attributes #0 = { "target-cpu"="skylake-avx512" }
