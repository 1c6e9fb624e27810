; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Inactive lanes give the library function something harmless.
; RUN: opt -load-pass-plugin=%accx_plugin -vector-library=LIBMVEC-X86 -passes=simd-remainder -S %s | FileCheck %s

; CHECK: call fast <16 x float> @_ZGVeN16v_logf(<16 x float> %
; CHECK: [[X:%.*]] = select <16 x i1> [[M:%.*]], <16 x float> %{{.*}}, <16 x float> <float 1.000000e+00,
; CHECK-NEXT: call fast <16 x float> @_ZGVeN16v_logf(<16 x float> [[X]])

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr noalias %c, ptr noalias readonly %a, ptr noalias readonly %b, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr inbounds float, ptr %a, i64 %i
  %va = load float, ptr %pa, align 4
  %sum = call fast float @logf(float %va) nounwind memory(none)
  %pc = getelementptr inbounds float, ptr %c, i64 %i
  store float %sum, ptr %pc, align 4
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

declare float @logf(float) nounwind memory(none)

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="512" }
