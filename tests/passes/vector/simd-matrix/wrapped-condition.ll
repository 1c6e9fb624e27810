; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a branch compares wraps in its type: it goes to what is stored to %c.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-matrix -S %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NOT: ptr %d
; CHECK: store <8 x float> %{{.*}}, ptr %c
; CHECK-NOT: ptr %d
; CHECK: ret void

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr noalias %c, ptr noalias %d, ptr noalias readonly %a, ptr noalias readonly %b, i32 %x) #0 {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns.latch ]
  br label %terms

terms:
  %k = phi i64 [ 0, %columns ], [ %k.next, %terms ]
  %acc = phi float [ 0.000000e+00, %columns ], [ %sum, %terms ]
  %ra = mul nuw nsw i64 %i, 4
  %oa = add nuw nsw i64 %ra, %k
  %pa = getelementptr inbounds float, ptr %a, i64 %oa
  %va = load float, ptr %pa, align 4
  %rb = mul nuw nsw i64 %k, 4
  %ob = add nuw nsw i64 %rb, %j
  %pb = getelementptr inbounds float, ptr %b, i64 %ob
  %vb = load float, ptr %pb, align 4
  %vm = fmul float %va, %vb
  %sum = fadd float %acc, %vm
  %k.next = add nuw nsw i64 %k, 1
  %k.done = icmp eq i64 %k.next, 4
  br i1 %k.done, label %columns.end, label %terms

columns.end:
  %rc = mul nuw nsw i64 %i, 4
  %oc = add nuw nsw i64 %rc, %j
  %half = add i32 %x, -2147483648
  %whole = add i32 %half, -2147483648
  %same = icmp eq i32 %whole, %x
  br i1 %same, label %here, label %there

here:
  %pc = getelementptr inbounds float, ptr %c, i64 %oc
  store float %sum, ptr %pc, align 4
  br label %columns.latch

there:
  %pd = getelementptr inbounds float, ptr %d, i64 %oc
  store float %sum, ptr %pd, align 4
  br label %columns.latch

columns.latch:
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, 4
  br i1 %j.done, label %rows.end, label %columns

rows.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.done = icmp eq i64 %i.next, 4
  br i1 %i.done, label %exit, label %rows

exit:
  ret void
}

attributes #0 = { "target-cpu"="haswell" }
