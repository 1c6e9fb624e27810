; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Zeros divided by zeros are no zeros: inactive lanes keep their sums.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -S %s | FileCheck %s

; CHECK-LABEL: define float @f(
; CHECK: select{{.*}} <16 x i1>
; CHECK: ret float

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define float @f(ptr readonly %a, ptr readonly %b, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %pa = getelementptr inbounds float, ptr %a, i64 %i
  %va = load float, ptr %pa, align 4
  %pb = getelementptr inbounds float, ptr %b, i64 %i
  %vb = load float, ptr %pb, align 4
  %part = fdiv fast float %va, %vb
  %more = fadd fast float %sum, %part
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  %all = phi float [ %more, %loop ]
  ret float %all
}

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
