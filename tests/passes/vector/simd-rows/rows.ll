; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A collapsed loop divides once a row.
;
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-rows,verify -S %s -pass-remarks=simd-rows 2>&1 | FileCheck %s
; CHECK: remark: {{.*}}loop goes row by row: what its counter is divided for is known once a row

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @signed(
; CHECK: row:
; CHECK: %p.row = phi i64 [ %first, %entry ], [ [[NEXT:%.*]], %row.next ]
; CHECK: [[I:%.*]] = sdiv i64 %p.row, %m
; CHECK: [[ENOUGH:%.*]] = icmp sge i64 %p.row, 0
; CHECK: icmp sgt i64 %m, 0
; CHECK: %row.end = add i64 %p.row,
; CHECK: %base = mul nsw i64 [[I]], %m
; CHECK: loop:
; CHECK-NOT: div
; CHECK: %j = sub nsw i64 %p, %base
; CHECK: icmp eq i64 %p, %row.end
; CHECK: br i1 {{.*}}, label %row.next, label %loop
; CHECK: row.next:
; CHECK: [[NEXT]] = add i64 %row.end, 1
; CHECK: [[DONE:%.*]] = icmp eq i64 %row.end,
; CHECK: br i1 [[DONE]], label %exit, label %row
define void @signed(ptr noalias %a, i64 %first, i64 %last, i64 %m) {
entry:
  br label %loop

loop:
  %p = phi i64 [ %first, %entry ], [ %p.next, %loop ]
  %i = sdiv i64 %p, %m
  %base = mul nsw i64 %i, %m
  %j = sub nsw i64 %p, %base
  %at = getelementptr i64, ptr %a, i64 %p
  store i64 %j, ptr %at
  %p.next = add i64 %p, 1
  %ends = icmp eq i64 %p, %last
  br i1 %ends, label %exit, label %loop

exit:
  ret void
}

; Three digits, a sum that goes from row to row and out of the loop, and
; remainders: a row ends where the first quotient changes.
; CHECK-LABEL: define i32 @remainders(
; CHECK: row:
; CHECK: %sum.row = phi i32 [ 0, %entry ], [ [[SUM:%.*]], %row.next ]
; CHECK-COUNT-2: udiv i32
; CHECK-NOT: div i32
; CHECK: loop:
; CHECK: %sum = phi i32 [ %sum.row, %row ], [ %sum.next, %loop ]
; CHECK-NOT: {{div|rem}} i32
; CHECK: row.next:
; CHECK-DAG: [[SUM]] = phi i32 [ %sum.next, %loop ]
; CHECK-DAG: [[OUT:%.*]] = phi i32 [ %sum.next, %loop ]
; CHECK: exit:
; CHECK: %result = phi i32 [ [[OUT]], %row.next ]
define i32 @remainders(i32 %n, i32 %m, i32 %l) {
entry:
  br label %loop

loop:
  %p = phi i32 [ 0, %entry ], [ %p.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %loop ]
  %k = urem i32 %p, %l
  %rest = udiv i32 %p, %m
  %j = xor i32 %k, %rest
  %sum.next = add i32 %sum, %j
  %p.next = add i32 %p, 1
  %ends = icmp eq i32 %p, %n
  br i1 %ends, label %exit, label %loop

exit:
  %result = phi i32 [ %sum.next, %loop ]
  ret i32 %result
}

; What is taken of the lower 32 bits is not beyond them within a row.
; CHECK-LABEL: define void @extended(
; CHECK: row:
; CHECK: [[LOW:%low.*]] = trunc i64 %j{{.+}} to i32
; CHECK: [[ROOM:%.*]] = sub i32 2147483647, [[LOW]]
; CHECK: freeze i32 [[ROOM]]
; CHECK: [[INDEX:%.*]] = sext i32 [[LOW]] to i64
; CHECK: loop:
; CHECK: %row.done = sub i64 %p, %p.row
; CHECK-NOT: {{trunc|sext|shl i64 %p,}}
; CHECK: add i64 [[INDEX]], %row.done
; CHECK: shl i64 %row.done, 3
; CHECK: row.next:
define void @extended(ptr noalias %a, i64 %first, i64 %last, i64 %m) {
entry:
  br label %loop

loop:
  %p = phi i64 [ %first, %entry ], [ %p.next, %loop ]
  %i = sdiv i64 %p, %m
  %base = mul nsw i64 %i, %m
  %j = sub nsw i64 %p, %base
  %low = trunc i64 %j to i32
  %index = sext i32 %low to i64
  %up = shl i64 %p, 32
  %bytes = ashr exact i64 %up, 29
  %at = getelementptr i8, ptr %a, i64 %bytes
  store i64 %index, ptr %at
  %p.next = add i64 %p, 1
  %ends = icmp eq i64 %p, %last
  br i1 %ends, label %exit, label %loop

exit:
  ret void
}
