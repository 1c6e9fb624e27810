; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loops that are not written past the cache, and why.
;
; RUN: opt -load-pass-plugin=%accx_plugin -passes=stream-stores -S %s -pass-remarks-missed=stream-stores -pass-remarks=stream-stores 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: remark: {{.*}}through the cache: it reads what it writes
; CHECK-NEXT: remark: {{.*}}through the cache: it reads what it writes
; CHECK-NEXT: remark: {{.*}}through the cache: it only writes
; CHECK-NEXT: remark: {{.*}}through the cache: its stores leave bytes out
; CHECK-NEXT: remark: {{.*}}through the cache: its stores leave bytes out
; CHECK-NEXT: remark: {{.*}}through the cache: not all of its accesses move evenly
; CHECK-NEXT: remark: {{.*}}through the cache: not all of its accesses move evenly
; CHECK-NEXT: remark: {{.*}}through the cache: its rounds are not known ahead of it
; CHECK-NEXT: remark: {{.*}}through the cache: the target has no registers of its vectors
; CHECK-NOT: remark
; CHECK-NOT: sfence
; CHECK-NOT: nontemporal

; An update.
define void @update(ptr %c, ptr noalias %a, i64 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a0 = getelementptr i32, ptr %a, i64 %i
  %x0 = load <8 x i32>, ptr %a0, align 4
  %c0 = getelementptr i32, ptr %c, i64 %i
  %y0 = load <8 x i32>, ptr %c0, align 4
  %s = add <8 x i32> %x0, %y0
  store <8 x i32> %s, ptr %c0, align 4
  %next = add i64 %i, 8
  %is = icmp eq i64 %next, 80000
  br i1 %is, label %done, label %loop
done:
  ret void
}

; What is read is written soon after.
define void @shift(ptr %c, i64 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %c0 = getelementptr i32, ptr %c, i64 %i
  %c1 = getelementptr i32, ptr %c0, i64 100
  %x = load <8 x i32>, ptr %c1, align 4
  store <8 x i32> %x, ptr %c0, align 4
  %next = add i64 %i, 8
  %is = icmp eq i64 %next, 80000
  br i1 %is, label %done, label %loop
done:
  ret void
}

define void @fill(ptr %c, ptr noalias %a, i64 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = load i32, ptr %a, align 4
  %y = insertelement <8 x i32> zeroinitializer, i32 %x, i64 0
  %c0 = getelementptr i32, ptr %c, i64 %i
  store <8 x i32> %y, ptr %c0, align 4
  %next = add i64 %i, 8
  %is = icmp eq i64 %next, 80000
  br i1 %is, label %done, label %loop
done:
  ret void
}

; Every second vector.
define void @gaps(ptr noalias %c, ptr noalias %a, i64 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a0 = getelementptr i32, ptr %a, i64 %i
  %x = load <8 x i32>, ptr %a0, align 4
  %c0 = getelementptr i32, ptr %c, i64 %i
  store <8 x i32> %x, ptr %c0, align 4
  %next = add i64 %i, 16
  %is = icmp eq i64 %next, 160000
  br i1 %is, label %done, label %loop
done:
  ret void
}

define void @down(ptr noalias %c, ptr noalias %a, i64 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 80000, %entry ], [ %next, %loop ]
  %a0 = getelementptr i32, ptr %a, i64 %i
  %x = load <8 x i32>, ptr %a0, align 4
  %c0 = getelementptr i32, ptr %c, i64 %i
  store <8 x i32> %x, ptr %c0, align 4
  store <8 x i32> %x, ptr %a, align 4
  %next = add i64 %i, -8
  %is = icmp eq i64 %next, 0
  br i1 %is, label %done, label %loop
done:
  ret void
}

define void @gather(ptr noalias %c, ptr noalias %a, <8 x i64> %p) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %all = getelementptr i32, ptr %a, <8 x i64> %p
  %x = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %all, i32 4, <8 x i1> splat (i1 true), <8 x i32> poison)
  %c0 = getelementptr i32, ptr %c, i64 %i
  store <8 x i32> %x, ptr %c0, align 4
  %next = add i64 %i, 8
  %is = icmp eq i64 %next, 80000
  br i1 %is, label %done, label %loop
done:
  ret void
}

define void @atomic(ptr noalias %c, ptr noalias %a, ptr %flag) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a0 = getelementptr i32, ptr %a, i64 %i
  %x = load <8 x i32>, ptr %a0, align 4
  %c0 = getelementptr i32, ptr %c, i64 %i
  store <8 x i32> %x, ptr %c0, align 4
  %next = add i64 %i, 8
  store atomic i64 %next, ptr %flag release, align 8
  %is = icmp eq i64 %next, 80000
  br i1 %is, label %done, label %loop
done:
  ret void
}

define void @until(ptr noalias %c, ptr noalias %a) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a0 = getelementptr i32, ptr %a, i64 %i
  %x = load <8 x i32>, ptr %a0, align 4
  %c0 = getelementptr i32, ptr %c, i64 %i
  store <8 x i32> %x, ptr %c0, align 4
  %next = add i64 %i, 8
  %one = extractelement <8 x i32> %x, i64 0
  %is = icmp eq i32 %one, 0
  br i1 %is, label %done, label %loop
done:
  ret void
}

define void @wide(ptr noalias %c, ptr noalias %a) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a0 = getelementptr i32, ptr %a, i64 %i
  %x = load <16 x i32>, ptr %a0, align 4
  %c0 = getelementptr i32, ptr %c, i64 %i
  store <16 x i32> %x, ptr %c0, align 4
  %next = add i64 %i, 16
  %is = icmp eq i64 %next, 80000
  br i1 %is, label %done, label %loop
done:
  ret void
}

; Without a word: what is never large, and what is only called where there is
; little to do.
define void @short(ptr noalias %c, ptr noalias %a) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a0 = getelementptr i32, ptr %a, i64 %i
  %x = load <8 x i32>, ptr %a0, align 4
  %c0 = getelementptr i32, ptr %c, i64 %i
  store <8 x i32> %x, ptr %c0, align 4
  %next = add i64 %i, 8
  %is = icmp eq i64 %next, 2000
  br i1 %is, label %done, label %loop
done:
  ret void
}
define void @little(ptr noalias %c, ptr noalias %a) #1 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a0 = getelementptr i32, ptr %a, i64 %i
  %x = load <8 x i32>, ptr %a0, align 4
  %c0 = getelementptr i32, ptr %c, i64 %i
  store <8 x i32> %x, ptr %c0, align 4
  %next = add i64 %i, 8
  %is = icmp eq i64 %next, 80000
  br i1 %is, label %done, label %loop
done:
  ret void
}

declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
attributes #0 = { "target-features"="+avx2" }
attributes #1 = { "target-features"="+avx2" "accx-small-work" }
!llvm.module.flags = !{!0}
!0 = !{i32 7, !"openmp-device", i32 51}
