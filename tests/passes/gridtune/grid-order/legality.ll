; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a loop must not be for another order: one that may have one, and what makes
; each a loop that may not.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=grid-order,verify -S %s \
; RUN:   -pass-remarks=grid-order 2>&1 | FileCheck %s
; RUN: sed 's/mul nuw/mul/' %s | opt -load-pass-plugin=%accx_plugin \
; RUN:   -passes=grid-order,verify -pass-remarks=grid-order -S 2>&1 \
; RUN:   | FileCheck %s --check-prefix=ASKED
; RUN: sed 's/mul nuw/mul/;s/^; large://' %s \
; RUN:   | opt -load-pass-plugin=%accx_plugin -passes=grid-order \
; RUN:   -pass-remarks-missed=grid-order -S 2>&1 \
; RUN:   | FileCheck %s --check-prefixes=TRIP,NONE
; RUN: sed 's/i1 true}/i1 false}/' %s | opt -load-pass-plugin=%accx_plugin \
; RUN:   -passes=grid-order -pass-remarks-missed=grid-order -S 2>&1 \
; RUN:   | FileCheck %s --check-prefixes=THREAD,NONE
; RUN: sed 's/ptr %a) {/ptr %a) "accx-part-first"="2" {/' %s \
; RUN:   | opt -load-pass-plugin=%accx_plugin -passes=grid-order \
; RUN:   -pass-remarks-missed=grid-order -S 2>&1 \
; RUN:   | FileCheck %s --check-prefixes=SPLIT,NONE
; RUN: sed 's/^; outlives://' %s | opt -load-pass-plugin=%accx_plugin \
; RUN:   -passes=grid-order -pass-remarks-missed=grid-order -S 2>&1 \
; RUN:   | FileCheck %s --check-prefixes=OUTLIVES,NONE
; RUN: opt -load-pass-plugin=%accx_plugin '-passes=print<grid-order>' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN

; CHECK: collapsed loops have another one innermost, whose neighbours are neighbours in memory
; CHECK-LABEL: define void @k(
; CHECK: %slow = udiv i64 %iv, [[N:%.*]]
; CHECK-NEXT: %fast = urem i64 %iv, [[N]]
; CHECK-NOT: udiv i64 {{.*}}, %m
; CHECK: icmp ult i64 %next, %trip

; The copy behind the question has another order, the loop itself its own, and
; no mark.
; ASKED: collapsed loops have another one innermost
; ASKED-LABEL: define void @k(
; ASKED: %is.product = icmp eq i64
; ASKED: br i1 %is.product
; ASKED: %slow = udiv i64 [[IV:%iv.*]], [[N:%.*]]
; ASKED: udiv i64 %iv, %m
; ASKED: br i1 %more, label %loop, label %exit

; TRIP: collapsed loops keep their order, though another one is innermost in memory: the number of their iterations may be no product, and the loop is too large for a copy
; THREAD: collapsed loops keep their order, though another one is innermost in memory: their body may ask which thread runs it
; SPLIT: collapsed loops keep their order, though another one is innermost in memory: the program distributes the outermost over devices
; OUTLIVES: collapsed loops keep their order, though another one is innermost in memory: what counts their iterations is used behind them
; NONE-NOT: %slow
; PLAN: sectors of a warp: 64 as it is, 8 by loop 1

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; large: declare void @meet() convergent

define void @k(i64 %start, i64 %step, i64 %n, i64 %m, ptr %a) {
entry:
  %trip = mul nuw i64 %n, %m
  %has = icmp ult i64 %start, %trip
  br i1 %has, label %loop, label %exit
loop:
  %iv = phi i64 [ %start, %entry ], [ %next, %loop ]
  %i = udiv i64 %iv, %m
  %j = urem i64 %iv, %m
  %row = mul i64 %j, %n
  %at = add i64 %row, %i
  %p = getelementptr float, ptr %a, i64 %at
  %v = load float, ptr %p
  %w = fadd float %v, 1.0
  store float %w, ptr %p
; large:   call void @meet() convergent
  %next = add nuw i64 %iv, %step
  %more = icmp ult i64 %next, %trip
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
; outlives:   %last = phi i64 [ 0, %entry ], [ %iv, %loop ]
; outlives:   store i64 %last, ptr %a
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"accx.grid_loop", i32 64, i1 true}
