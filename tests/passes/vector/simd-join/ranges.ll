; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Whether a range ends where the next one begins, and whether counters wrap, is
; asked in 128 bits, each question for itself: values of poison that no iteration
; uses must not decide others. The second time there is nothing left.
;
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-join,verify -S %s | FileCheck %s
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-join -S %s > %t.once.ll
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-join -S %t.once.ll -pass-remarks=simd-join 2>&1 | FileCheck %s --check-prefix=AGAIN
; AGAIN-NOT: remark:
; RUN: sed 's/i64 %n) {/i64 %n) optnone noinline {/' %s > %t.none.ll
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-join -S %t.none.ll | FileCheck %s --check-prefix=NONE
; RUN: sed 's/x86_64-unknown-linux-gnu/nvptx64-nvidia-cuda/' %s > %t.gpu.ll
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-join -S %t.gpu.ll | FileCheck %s --check-prefix=NONE
; NONE-NOT: ranges.joined

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @ranges(
; CHECK: [[FOLLOW:%.*]] = icmp eq i128
; CHECK-NEXT: freeze i1 [[FOLLOW]]
; CHECK: mul i128
; CHECK: br i1 {{.*}}, label %ranges.joined, label %ranges
; CHECK: ranges.joined:
; CHECK: icmp sle i128 [[COUNT:%.*]], 0
; CHECK: trunc i128 [[COUNT]] to i64
; CHECK: label %exit, label %body.joined
; CHECK: body.joined:
; CHECK: %joined = phi i64 [ 0, %ranges.joined ], [ %joined.next, %body.joined ]
; CHECK: store
; CHECK: br i1 {{.*}}, label %exit, label %body.joined
define void @ranges(ptr %a, i64 %items, i64 %each, i64 %n) {
entry:
  br label %range

range:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %first = mul i64 %i, %each
  %i.next = add i64 %i, 1
  %second = mul i64 %i.next, %each
  %end = call i64 @llvm.smin.i64(i64 %second, i64 %n)
  %some = icmp slt i64 %first, %end
  br i1 %some, label %body, label %next

body:
  %k = phi i64 [ %first, %range ], [ %k.next, %body ]
  %at = getelementptr i64, ptr %a, i64 %k
  store i64 %k, ptr %at
  %k.next = add i64 %k, 1
  %more = icmp slt i64 %k.next, %end
  br i1 %more, label %body, label %next

next:
  %last = icmp eq i64 %i.next, %items
  br i1 %last, label %exit, label %range

exit:
  ret void
}

declare i64 @llvm.smin.i64(i64, i64)
