; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Computations that were sunk past branches go back to where what they are
; computed from ends, if fewer registers are then held on the way.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=pressure-hoist,verify -S %s \
; RUN:   | FileCheck %s
; The code generator leaves them there.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=pressure-hoist %s -o - \
; RUN:   | llc-19 -mcpu=sm_70 | FileCheck %s --check-prefix=PTX
; PTX-LABEL: .func product(
; PTX: sub.rn.f64
; PTX: bra
; PTX: {{^}}}
; Twice is once.
; RUN: opt -load-pass-plugin=%accx_plugin -S %s \
; RUN:   -passes=pressure-hoist,pressure-hoist | FileCheck %s
; RUN: sed 's/nvptx64-nvidia-cuda/x86_64-pc-linux-gnu/' %s \
; RUN:   | opt -load-pass-plugin=%accx_plugin -passes=pressure-hoist -S \
; RUN:   | FileCheck %s --check-prefix=HOST
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare double @slow(double)
declare void @llvm.nvvm.barrier0()

; A product of complex numbers takes four values and leaves two: it passes both
; branches. The sum behind it takes what stays anyway, and does not move.
; CHECK-LABEL: define void @product(
; CHECK: entry:
; CHECK: %re = fsub double %ac, %bd
; CHECK: %im = fadd double %ad, %bc
; CHECK-NEXT: call void asm sideeffect "", "d"(double %re)
; CHECK-NEXT: call void asm sideeffect "", "d"(double %im)
; CHECK-NEXT: br i1
; CHECK: first:
; CHECK: br i1
; CHECK: second:
; CHECK-NEXT: %kept = fadd double %long, 1.0
; CHECK-NEXT: store
; HOST-LABEL: define void @product(
; HOST: second:
; HOST-NEXT: %ac = fmul
define void @product(ptr %p, i1 %x, i1 %y) {
entry:
  %a = load double, ptr %p
  %p1 = getelementptr double, ptr %p, i64 1
  %b = load double, ptr %p1
  %p2 = getelementptr double, ptr %p, i64 2
  %c = load double, ptr %p2
  %p3 = getelementptr double, ptr %p, i64 3
  %d = load double, ptr %p3
  %p4 = getelementptr double, ptr %p, i64 4
  %long = load double, ptr %p4
  br i1 %x, label %rare, label %first
rare:
  %s = call double @slow(double 1.0)
  store double %s, ptr %p4
  br label %first
first:
  br i1 %y, label %other, label %second
other:
  call void @llvm.nvvm.barrier0()
  br label %second
second:
  %ac = fmul double %a, %c
  %bd = fmul double %b, %d
  %ad = fmul double %a, %d
  %bc = fmul double %b, %c
  %re = fsub double %ac, %bd
  %im = fadd double %ad, %bc
  %kept = fadd double %long, 1.0
  store double %re, ptr %p
  store double %im, ptr %p1
  store double %kept, ptr %p2
  store double %long, ptr %p3
  ret void
}

; Not onto paths that do not need it, and not into loops or out of them.
; CHECK-LABEL: define void @stays(
; CHECK: then:
; CHECK-NEXT: %sum = fadd double %a, %b
; CHECK: loop:
; CHECK: %again = fadd double %c, %d
; CHECK: out:
; CHECK-NEXT: %last = fadd double %e, %f
define void @stays(ptr %p, i1 %x, i32 %n) {
entry:
  %a = load double, ptr %p
  %p1 = getelementptr double, ptr %p, i64 1
  %b = load double, ptr %p1
  %p2 = getelementptr double, ptr %p, i64 2
  %c = load double, ptr %p2
  %p3 = getelementptr double, ptr %p, i64 3
  %d = load double, ptr %p3
  br i1 %x, label %then, label %head
then:
  %sum = fadd double %a, %b
  store double %sum, ptr %p
  br label %head
head:
  br label %loop
loop:
  %i = phi i32 [ 0, %head ], [ %next, %loop ]
  %again = fadd double %c, %d
  store double %again, ptr %p1
  %e = load double, ptr %p2
  %f = load double, ptr %p3
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %out
out:
  %last = fadd double %e, %f
  store double %last, ptr %p
  ret void
}

; What may trap, reads memory or leaves as much as it takes.
; CHECK-LABEL: define void @cannot(
; CHECK: behind:
; CHECK-NEXT: %quotient = sdiv i64 %a, %b
; CHECK-NEXT: %wide = sext i32 %n to i64
; CHECK-NEXT: %read = load i64, ptr %p
define void @cannot(ptr %p, i1 %x) {
entry:
  %a = load i64, ptr %p
  %p1 = getelementptr i64, ptr %p, i64 1
  %b = load i64, ptr %p1
  %p2 = getelementptr i64, ptr %p, i64 2
  %n = load i32, ptr %p2
  br i1 %x, label %rare, label %behind
rare:
  store i64 0, ptr %p
  br label %behind
behind:
  %quotient = sdiv i64 %a, %b
  %wide = sext i32 %n to i64
  %read = load i64, ptr %p
  store i64 %quotient, ptr %p
  store i64 %wide, ptr %p1
  store i64 %read, ptr %p2
  ret void
}
