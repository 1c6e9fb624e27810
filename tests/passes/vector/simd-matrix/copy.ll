; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A copy is left to others, also one of rows that lie apart.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-matrix -S %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NOT: <{{[0-9]+}} x
; CHECK: ret void
; CHECK-LABEL: define void @rows_apart(
; CHECK-NOT: <{{[0-9]+}} x
; CHECK: ret void

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr noalias %c, ptr noalias readonly %a) #0 {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %ra = mul nuw nsw i64 %i, 4
  %oa = add nuw nsw i64 %ra, %j
  %pa = getelementptr inbounds float, ptr %a, i64 %oa
  %va = load float, ptr %pa, align 4
  %rc = mul nuw nsw i64 %i, 4
  %oc = add nuw nsw i64 %rc, %j
  %pc = getelementptr inbounds float, ptr %c, i64 %oc
  store float %va, ptr %pc, align 4
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

; Rows that lie far apart keep their order, too: a tile of an image.
define void @rows_apart(ptr noalias %c, ptr noalias readonly %a) #0 {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %ra = mul nuw nsw i64 %i, 1024
  %oa = add nuw nsw i64 %ra, %j
  %pa = getelementptr inbounds float, ptr %a, i64 %oa
  %va = load float, ptr %pa, align 4
  %rc = mul nuw nsw i64 %i, 4
  %oc = add nuw nsw i64 %rc, %j
  %pc = getelementptr inbounds float, ptr %c, i64 %oc
  store float %va, ptr %pc, align 4
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

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
