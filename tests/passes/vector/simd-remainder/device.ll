; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Device code is not for this pass, and no remark speaks of it.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-remainder -pass-remarks=simd-remainder \
; RUN:   -pass-remarks-missed=simd-remainder -S %s 2>&1 | FileCheck %s

; CHECK-NOT: remark
; CHECK-NOT: llvm.masked
; CHECK: load float,

target triple = "nvptx64-nvidia-cuda"

define void @f(ptr noalias %c, ptr noalias readonly %a, ptr noalias readonly %b, i64 %n)  {
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
