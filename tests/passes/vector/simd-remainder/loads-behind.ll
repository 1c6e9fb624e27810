; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Each row is computed from the next one, whose begin a masked store at the row's
; end would reach.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -pass-remarks-missed=simd-remainder -S %s -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s < %t

; REMARK: remainder stays scalar: it loads what lies right behind what it stores
; CHECK-LABEL: define void @f(
; CHECK-NOT: <16 x
; CHECK: ret void

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %a) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %behind = add nuw nsw i64 %i, 255
  %pb = getelementptr inbounds float, ptr %a, i64 %behind
  %vb = load float, ptr %pb, align 4
  %sum = fadd float %vb, 1.000000e+00
  %pa = getelementptr inbounds float, ptr %a, i64 %i
  store float %sum, ptr %pa, align 4
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 255
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
