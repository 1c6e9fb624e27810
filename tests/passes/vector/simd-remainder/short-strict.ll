; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A sum in the order of the program stays for the unroller.
; RUN: opt -load-pass-plugin=%accx_plugin -passes='loop(simd-remainder-short)' -S %s | FileCheck %s

; CHECK: ret
; CHECK-NOT: accx.simd.short

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define float @f(ptr readonly %a, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 1.0, %entry ], [ %sum, %loop ]
  %pa = getelementptr inbounds float, ptr %a, i64 %i
  %va = load float, ptr %pa, align 4
  %sum = fadd float %s, %va
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 31
  br i1 %done, label %exit, label %loop

exit:
  %last = phi float [ %sum, %loop ]
  ret float %last
}

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
