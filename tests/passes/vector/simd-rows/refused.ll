; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loops that stay as they are, and why.
;
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-rows,verify -S %s -pass-remarks-missed=simd-rows 2>&1 | FileCheck %s
; RUN: sed 's/x86_64-unknown-linux-gnu/nvptx64-nvidia-cuda/' %S/rows.ll > %t.ll
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-rows -S %t.ll | FileCheck %s --check-prefix=DEVICE

; DEVICE: target triple = "nvptx64
; DEVICE-NOT: row.next:

; CHECK: remark: {{.*}}: loop divides in each iteration: its rows are short
; CHECK-NEXT: remark: {{.*}}: loop divides in each iteration: iterations may leave its division out
; CHECK-NEXT: remark: {{.*}}: loop divides in each iteration: its end is not that of a counter in steps of one
; CHECK-NEXT: remark: {{.*}}: loop divides in each iteration: its end is not that of a counter in steps of one
; CHECK-NOT: remark:

target triple = "x86_64-unknown-linux-gnu"

declare void @mayExit()

; Rows of seven elements, known as such.
; CHECK-LABEL: define void @short(
; CHECK-NOT: row.next:
define void @short(ptr %a, i64 %last) {
entry:
  br label %loop

loop:
  %p = phi i64 [ 0, %entry ], [ %p.next, %loop ]
  %i = udiv i64 %p, 7
  %at = getelementptr i64, ptr %a, i64 %p
  store i64 %i, ptr %at
  %p.next = add i64 %p, 1
  %ends = icmp eq i64 %p, %last
  br i1 %ends, label %exit, label %loop

exit:
  ret void
}

; The division is executed in some iterations: its divisor may be zero.
; CHECK-LABEL: define void @condition(
; CHECK-NOT: row.next:
define void @condition(ptr %a, i64 %last, i64 %m) {
entry:
  br label %loop

loop:
  %p = phi i64 [ 0, %entry ], [ %p.next, %latch ]
  %at = getelementptr i64, ptr %a, i64 %p
  %old = load i64, ptr %at
  %some = icmp eq i64 %old, 0
  br i1 %some, label %then, label %latch

then:
  %i = udiv i64 %p, %m
  store i64 %i, ptr %at
  br label %latch

latch:
  %p.next = add i64 %p, 1
  %ends = icmp eq i64 %p, %last
  br i1 %ends, label %exit, label %loop

exit:
  ret void
}

; The call may never come back to the division.
; CHECK-LABEL: define void @call(
; CHECK-NOT: row.next:
define void @call(ptr %a, i64 %last, i64 %m) {
entry:
  br label %loop

loop:
  %p = phi i64 [ 0, %entry ], [ %p.next, %loop ]
  call void @mayExit()
  %i = udiv i64 %p, %m
  %at = getelementptr i64, ptr %a, i64 %p
  store i64 %i, ptr %at
  %p.next = add i64 %p, 1
  %ends = icmp eq i64 %p, %last
  br i1 %ends, label %exit, label %loop

exit:
  ret void
}

; A second exit.
; CHECK-LABEL: define void @exits(
; CHECK-NOT: row.next:
define void @exits(ptr %a, i64 %last, i64 %m) {
entry:
  br label %loop

loop:
  %p = phi i64 [ 0, %entry ], [ %p.next, %latch ]
  %i = udiv i64 %p, %m
  %at = getelementptr i64, ptr %a, i64 %p
  %old = load i64, ptr %at
  %some = icmp eq i64 %old, %i
  br i1 %some, label %exit, label %latch

latch:
  %p.next = add i64 %p, 1
  %ends = icmp eq i64 %p, %last
  br i1 %ends, label %exit, label %loop

exit:
  ret void
}

; Steps of two.
; CHECK-LABEL: define void @step(
; CHECK-NOT: row.next:
define void @step(ptr %a, i64 %last, i64 %m) {
entry:
  br label %loop

loop:
  %p = phi i64 [ 0, %entry ], [ %p.next, %loop ]
  %i = udiv i64 %p, %m
  %at = getelementptr i64, ptr %a, i64 %p
  store i64 %i, ptr %at
  %p.next = add i64 %p, 2
  %ends = icmp eq i64 %p, %last
  br i1 %ends, label %exit, label %loop

exit:
  ret void
}

; A divisor that the loop changes.
; CHECK-LABEL: define void @divisor(
; CHECK-NOT: row.next:
define void @divisor(ptr %a, i64 %last) {
entry:
  br label %loop

loop:
  %p = phi i64 [ 0, %entry ], [ %p.next, %loop ]
  %at = getelementptr i64, ptr %a, i64 %p
  %m = load i64, ptr %at
  %i = udiv i64 %p, %m
  store i64 %i, ptr %at
  %p.next = add i64 %p, 1
  %ends = icmp eq i64 %p, %last
  br i1 %ends, label %exit, label %loop

exit:
  ret void
}
