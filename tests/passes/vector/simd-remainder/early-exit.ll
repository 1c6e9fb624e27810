; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A second exit.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -pass-remarks=simd-remainder \
; RUN:   -pass-remarks-missed=simd-remainder -S %s -o %t.ll 2>&1 | FileCheck %s --allow-empty

; CHECK: remainder stays scalar: it has an exit other than its last branch

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr noalias %c, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %pc = getelementptr inbounds float, ptr %c, i64 %i
  %vc = load float, ptr %pc, align 4
  %stop = fcmp oeq float %vc, 0.0
  br i1 %stop, label %exit, label %latch

latch:
  store float 1.0, ptr %pc, align 4
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
