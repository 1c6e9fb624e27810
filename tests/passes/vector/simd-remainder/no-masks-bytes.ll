; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; AVX2 masks 32-bit lanes, but not bytes.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -pass-remarks=simd-remainder \
; RUN:   -pass-remarks-missed=simd-remainder -S %s -o %t.ll 2>&1 | FileCheck %s --allow-empty

; CHECK: remainder stays scalar: the target has no masked accesses

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr noalias %c, ptr noalias readonly %a, ptr noalias readonly %b, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr inbounds i8, ptr %a, i64 %i
  %va = load i8, ptr %pa, align 1
  %pb = getelementptr inbounds i8, ptr %b, i64 %i
  %vb = load i8, ptr %pb, align 1
  %sum = add i8 %va, %vb
  %pc = getelementptr inbounds i8, ptr %c, i64 %i
  store i8 %sum, ptr %pc, align 1
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

attributes #0 = { "target-cpu"="haswell" }
