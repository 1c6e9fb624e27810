; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The loop over columns is taken twice: for lanes, where the result overlaps
; neither operand and there are enough columns, and as it is. Each question is
; frozen for itself: an address of poison that no iteration accesses decides no
; other one.
;
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-columns,verify -S %s -pass-remarks=simd-columns 2>&1 | FileCheck %s
; Twice is as once.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-columns -S %s > %t.once.ll
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-columns -S %t.once.ll -pass-remarks=simd-columns 2>&1 | FileCheck %s --check-prefix=AGAIN
; AGAIN-NOT: remark:
;
; CHECK: remark: {{.*}}iterations become lanes: a loop inside goes down columns
; CHECK-LABEL: define void @product(
; CHECK: icmp uge i64 {{.*}}, 7
; CHECK: mul i128
; CHECK: [[APART:%.*]] = or i1
; CHECK-NEXT: [[IS:%.*]] = freeze i1 [[APART]]
; CHECK-NEXT: and i1 {{.*}}, [[IS]]
; CHECK: br i1 {{.*}}, label %columns1.lanes, label %columns1
; CHECK: load float, {{.*}}!llvm.access.group
; CHECK: br i1 {{.*}}!llvm.loop [[LANES:![0-9]+]]
; CHECK: [[LANES]] = distinct !{[[LANES]], {{![0-9]+}}, [[MARK:![0-9]+]]}
; CHECK: [[MARK]] = !{!"accx.simd.columns"}

target triple = "x86_64-unknown-linux-gnu"

define void @product(ptr %c, ptr %a, ptr %b, i64 %n) #0 {
entry:
  br label %columns

columns:
  %j = phi i64 [ 0, %entry ], [ %j.next, %latch ]
  %column = getelementptr float, ptr %b, i64 %j
  br label %sum

sum:
  %k = phi i64 [ 0, %columns ], [ %k.next, %sum ]
  %s = phi float [ 0.0, %columns ], [ %s.next, %sum ]
  %a.k = getelementptr float, ptr %a, i64 %k
  %x = load float, ptr %a.k
  %kn = mul i64 %k, %n
  %b.k = getelementptr float, ptr %column, i64 %kn
  %y = load float, ptr %b.k
  %xy = fmul float %x, %y
  %s.next = fadd float %s, %xy
  %k.next = add nuw i64 %k, 1
  %k.ends = icmp eq i64 %k.next, %n
  br i1 %k.ends, label %latch, label %sum

latch:
  %c.j = getelementptr float, ptr %c, i64 %j
  store float %s.next, ptr %c.j
  %j.next = add nuw i64 %j, 1
  %j.ends = icmp eq i64 %j.next, %n
  br i1 %j.ends, label %exit, label %columns

exit:
  ret void
}

attributes #0 = { "target-cpu"="x86-64-v4" "target-features"="+avx512f,+avx512bw,+avx512vl,+avx512dq,+avx2,+avx" }
