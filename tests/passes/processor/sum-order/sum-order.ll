; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a sum adds up is read upwards, and nothing asks for it ahead.
;
; RUN: opt -load-pass-plugin=%accx_plugin -passes=sum-order -S %s | FileCheck %s

target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @halves(
; CHECK-NEXT: [[P1:%.*]] = getelementptr i8, ptr %a, i64 128
; CHECK-NOT: prefetch(ptr %a,
; CHECK: call void @llvm.prefetch.p0(ptr %far
; CHECK: [[A:%.*]] = load <16 x i32>, ptr %a
; CHECK-NEXT: [[B:%.*]] = load <16 x i32>, ptr [[P1]]
; CHECK-NEXT: [[AB:%.*]] = add <16 x i32> [[A]], [[B]]
; CHECK-NEXT: [[C:%.*]] = load <16 x i32>, ptr %p2
; CHECK-NEXT: [[ABC:%.*]] = add <16 x i32> [[AB]], [[C]]
; CHECK-NEXT: [[D:%.*]] = load <16 x i32>, ptr %p3
; CHECK-NEXT: [[ABCD:%.*]] = add <16 x i32> [[ABC]], [[D]]
; CHECK-NEXT: [[ALL:%.*]] = add <16 x i32> [[ABCD]], %more
; CHECK-NEXT: ret <16 x i32> [[ALL]]
define <16 x i32> @halves(ptr %a, <16 x i32> %more) {
  %p1 = getelementptr i8, ptr %a, i64 128
  %p2 = getelementptr i8, ptr %a, i64 256
  %p3 = getelementptr i8, ptr %a, i64 384
  %far = getelementptr i8, ptr %a, i64 448
  call void @llvm.prefetch.p0(ptr %a, i32 0, i32 3, i32 1)
  call void @llvm.prefetch.p0(ptr %p3, i32 0, i32 3, i32 1)
  call void @llvm.prefetch.p0(ptr %far, i32 0, i32 3, i32 1)
  %x3 = load <16 x i32>, ptr %p3, align 4
  %x1 = load <16 x i32>, ptr %p1, align 4
  %s = add nsw <16 x i32> %x3, %x1
  %x2 = load <16 x i32>, ptr %p2, align 4
  %x0 = load <16 x i32>, ptr %a, align 4
  %t = add nsw <16 x i32> %x2, %x0
  %u = add nsw <16 x i32> %s, %more
  %all = add nsw <16 x i32> %u, %t
  ret <16 x i32> %all
}

; The program lets floating point be added in any order.
; CHECK-LABEL: @free(
; CHECK: fadd reassoc nsz <16 x float> {{%.*}}, %x1
; CHECK-NEXT: %x2 = load
; CHECK: fadd reassoc nsz <16 x float> {{%.*}}, %x3
; CHECK-NEXT: ret
define <16 x float> @free(ptr %a) {
  %p1 = getelementptr i8, ptr %a, i64 128
  %p2 = getelementptr i8, ptr %a, i64 256
  %p3 = getelementptr i8, ptr %a, i64 384
  %x3 = load <16 x float>, ptr %p3, align 4
  %x1 = load <16 x float>, ptr %p1, align 4
  %s = fadd fast <16 x float> %x3, %x1
  %x2 = load <16 x float>, ptr %p2, align 4
  %x0 = load <16 x float>, ptr %a, align 4
  %t = fadd fast <16 x float> %x2, %x0
  %all = fadd fast <16 x float> %s, %t
  ret <16 x float> %all
}

; It does not.
; CHECK-LABEL: @strict(
; CHECK: %s = fadd <16 x float> %x3, %x1
; CHECK: %all = fadd <16 x float> %s, %t
define <16 x float> @strict(ptr %a) {
  %p1 = getelementptr i8, ptr %a, i64 128
  %p2 = getelementptr i8, ptr %a, i64 256
  %p3 = getelementptr i8, ptr %a, i64 384
  %x3 = load <16 x float>, ptr %p3, align 4
  %x1 = load <16 x float>, ptr %p1, align 4
  %s = fadd <16 x float> %x3, %x1
  %x2 = load <16 x float>, ptr %p2, align 4
  %x0 = load <16 x float>, ptr %a, align 4
  %t = fadd <16 x float> %x2, %x0
  %all = fadd <16 x float> %s, %t
  ret <16 x float> %all
}

; What is read before a write stays before it.
; CHECK-LABEL: @written(
; CHECK: %x1 = load <16 x i32>, ptr %p1
; CHECK: store i32 0, ptr %a
; CHECK: %all = add <16 x i32> %s, %t
define <16 x i32> @written(ptr %a) {
  %p1 = getelementptr i8, ptr %a, i64 128
  %p2 = getelementptr i8, ptr %a, i64 256
  %p3 = getelementptr i8, ptr %a, i64 384
  %x3 = load <16 x i32>, ptr %p3, align 4
  %x1 = load <16 x i32>, ptr %p1, align 4
  store i32 0, ptr %a, align 4
  %s = add <16 x i32> %x3, %x1
  %x2 = load <16 x i32>, ptr %p2, align 4
  %x0 = load <16 x i32>, ptr %a, align 4
  %t = add <16 x i32> %x2, %x0
  %all = add <16 x i32> %s, %t
  ret <16 x i32> %all
}

; A partial sum that somebody else needs is not taken apart, and neighbours come
; with one line.
; CHECK-LABEL: @shared(
; CHECK: %s = add <16 x i32> %x3, %x1
; CHECK: %all = add <16 x i32> %s, %t
; CHECK-LABEL: @near(
; CHECK: %all = add i32 %s, %t
define <16 x i32> @shared(ptr %a, ptr %b) {
  %p1 = getelementptr i8, ptr %a, i64 128
  %p2 = getelementptr i8, ptr %a, i64 256
  %p3 = getelementptr i8, ptr %a, i64 384
  %x3 = load <16 x i32>, ptr %p3, align 4
  %x1 = load <16 x i32>, ptr %p1, align 4
  %s = add <16 x i32> %x3, %x1
  %x2 = load <16 x i32>, ptr %p2, align 4
  %x0 = load <16 x i32>, ptr %a, align 4
  %t = add <16 x i32> %x2, %x0
  %all = add <16 x i32> %s, %t
  store <16 x i32> %s, ptr %b, align 4
  ret <16 x i32> %all
}
define i32 @near(ptr %a) {
  %p1 = getelementptr i8, ptr %a, i64 4
  %p2 = getelementptr i8, ptr %a, i64 8
  %p3 = getelementptr i8, ptr %a, i64 12
  %x3 = load i32, ptr %p3, align 4
  %x1 = load i32, ptr %p1, align 4
  %s = add i32 %x3, %x1
  %x2 = load i32, ptr %p2, align 4
  %x0 = load i32, ptr %a, align 4
  %t = add i32 %x2, %x0
  %all = add i32 %s, %t
  ret i32 %all
}

declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
!llvm.module.flags = !{!0}
!0 = !{i32 7, !"openmp-device", i32 51}
