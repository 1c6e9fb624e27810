; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where vectors of 512 bits are not wanted they are not legal arguments either.
; RUN: opt -load-pass-plugin=%accx_plugin -vector-library=LIBMVEC-X86 -passes=simd-remainder -S %s | FileCheck %s

; CHECK-NOT: _ZGVe
; CHECK: call fast <8 x float> @_ZGVdN8v_logf(<8 x float>
; CHECK-NOT: _ZGVe

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

attributes #0 = { "target-cpu"="skylake-avx512" "prefer-vector-width"="256" }
