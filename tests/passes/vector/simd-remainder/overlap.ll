; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Pointers are compared once for all parts: are they less than a turn of 256 bytes
; apart? The loop as it was remains for those, and is not vectorized again. What the
; vectorizer was told about the others is forgotten.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -S %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-COUNT-2: icmp ult i64 %{{.*}}, 256
; CHECK-NOT: icmp ult i64 %{{.*}}, 256
; CHECK: br i1 %{{.*}}, label %{{.*}}lver.orig
; CHECK: load float,
; CHECK: !llvm.loop ![[ORIG:[0-9]+]]
; CHECK: llvm.masked.store
; CHECK-NOT: load float,
; CHECK-NOT: !noalias
; CHECK: ![[ORIG]] = distinct !{![[ORIG]], ![[DONE:[0-9]+]]
; CHECK: ![[DONE]] = !{!"llvm.loop.isvectorized", i32 1}

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %c, ptr readonly %a, ptr readonly %b, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr inbounds float, ptr %a, i64 %i
  %va = load float, ptr %pa, align 4
  %pb = getelementptr inbounds float, ptr %b, i64 %i
  %vb = load float, ptr %pb, align 4
  %sum = fadd float %va, %vb
  %pc = getelementptr inbounds float, ptr %c, i64 %i
  store float %sum, ptr %pc, align 4
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
