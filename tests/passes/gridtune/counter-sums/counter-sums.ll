; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A constant leaves the extended sum of a sequential loop's counter where the sum
; is multiplied by what the loop does not change.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=counter-sums -S %s | FileCheck %s
; RUN: opt -load-pass-plugin=%accx_plugin -passes=counter-sums -disable-output %s \
; RUN:   -pass-remarks-missed=counter-sums 2>&1 | FileCheck %s --check-prefix=WHY
; RUN: opt -load-pass-plugin=%accx_plugin -passes='counter-sums,counter-sums' -S %s | FileCheck %s

; WHY: remark: {{.*}}: a sum of a loop's counter is extended in each iteration: it may wrap
; WHY-NOT: remark:

; CHECK-LABEL: define void @rows
; CHECK: %from = add nsw i32 %k, %t
; CHECK: %[[WIDE:.*]] = sext i32 %from to i64
; CHECK-NEXT: %[[SUM:.*]] = add nsw i64 %[[WIDE]], -3
; CHECK: mul nsw i64 %n, %[[SUM]]
define void @rows(ptr %a, i64 %n, i32 %t, i32 %count) {
entry:
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j1, %outer.latch ]
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k1, %inner ]
  %from = add nsw i32 %k, %t
  %row = add nsw i32 %from, -3
  %wide = sext i32 %row to i64
  %first = mul nsw i64 %n, %wide
  %p = getelementptr float, ptr %a, i64 %first
  store float 0.0, ptr %p
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k1, %count
  br i1 %more, label %inner, label %outer.latch
outer.latch:
  %j1 = add i64 %j, 1
  %again = icmp ult i64 %j1, %n
  br i1 %again, label %outer, label %exit
exit:
  ret void
}

; The loop around does not count what the addresses begin with.
; CHECK-LABEL: define void @base
; CHECK: outer:
; CHECK: %p = getelementptr float, ptr %a, i64 %j
; CHECK-NEXT: %[[BASE:.*]] = freeze ptr %p
; CHECK: inner:
; CHECK: getelementptr float, ptr %[[BASE]], i64 %first
define void @base(ptr %a, i64 %n, i32 %count) {
entry:
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j1, %outer.latch ]
  %p = getelementptr float, ptr %a, i64 %j
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k1, %inner ]
  %row = add nsw i32 %k, 1
  %wide = sext i32 %row to i64
  %first = mul nsw i64 %n, %wide
  %q = getelementptr float, ptr %p, i64 %first
  store float 0.0, ptr %q
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k1, %count
  br i1 %more, label %inner, label %outer.latch
outer.latch:
  %j1 = add i64 %j, 1
  %again = icmp ult i64 %j1, %n
  br i1 %again, label %outer, label %exit
exit:
  ret void
}

; The sum may wrap; the factor changes; nothing is multiplied.
; CHECK-LABEL: define void @others
; CHECK: %wide1 = sext i32 %sum1 to i64
; CHECK: %wide2 = sext i32 %sum2 to i64
; CHECK: %wide3 = sext i32 %sum2 to i64
; CHECK-NOT: add nsw i64
define void @others(ptr %a, i64 %n, i32 %count) {
entry:
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j1, %outer.latch ]
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k1, %inner ]
  %sum1 = add i32 %k, 1
  %wide1 = sext i32 %sum1 to i64
  %product1 = mul i64 %wide1, %n
  %sum2 = add nsw i32 %k, 1
  %wide2 = sext i32 %sum2 to i64
  %square = mul i64 %wide2, %product1
  %wide3 = sext i32 %sum2 to i64
  %p = getelementptr float, ptr %a, i64 %square
  %q = getelementptr float, ptr %p, i64 %wide3
  store float 0.0, ptr %q
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k1, %count
  br i1 %more, label %inner, label %outer.latch
outer.latch:
  %j1 = add i64 %j, 1
  %again = icmp ult i64 %j1, %n
  br i1 %again, label %outer, label %exit
exit:
  ret void
}

; The grid's own loop.
; CHECK-LABEL: define void @grid
; CHECK: %wide = sext i32 %row to i64
define void @grid(ptr %a, i64 %n, i32 %count) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %row = add nsw i32 %k, 1
  %wide = sext i32 %row to i64
  %first = mul nsw i64 %n, %wide
  %p = getelementptr float, ptr %a, i64 %first
  store float 0.0, ptr %p
  %k1 = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k1, %count
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
