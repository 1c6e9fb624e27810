; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Stores of lanes: side by side, scattered, and to one place, where the last lane
; wins.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function,verify" -S %s | FileCheck %s

; CHECK-LABEL: define void @_ZGVdN4l8vu_f(ptr %p, <4 x i64> %v, ptr %u)
; CHECK: store <4 x i64> %v, ptr %p, align 8
; CHECK: call void @llvm.masked.scatter.v4i64.v4p0(
; CHECK: %[[L:.*]] = extractelement <4 x i64> %v, i64 3
; CHECK: store i64 %[[L]], ptr %u

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %p, i64 %v, ptr %u) #0 {
  store i64 %v, ptr %p, align 8
  %q = getelementptr i64, ptr %u, i64 %v
  store i64 %v, ptr %q, align 8
  store i64 %v, ptr %u, align 8
  ret void
}

attributes #0 = { nounwind "_ZGVdN4l8vu_f" "target-features"="+avx2" }
