; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Kernels wait for the work before them ahead of their first access to memory,
; where device and PTX have the instruction, and say so.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=dependent-launch -S %s \
; RUN:   | FileCheck %s
; Twice is once.
; RUN: opt -load-pass-plugin=%accx_plugin -S %s \
; RUN:   -passes=dependent-launch,dependent-launch | FileCheck %s
; On processors there is nothing to do.
; RUN: sed 's/nvptx64-nvidia-cuda/x86_64-pc-linux-gnu/' %s \
; RUN:   | opt -load-pass-plugin=%accx_plugin -passes=dependent-launch -S \
; RUN:   | FileCheck %s --check-prefix=HOST
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() nounwind memory(none)
declare void @unknown()

; CHECK-DAG: @weak_accx_waits = weak protected constant i8 1
; CHECK-DAG: @inner_accx_waits = constant i8 1
; CHECK-DAG: @calls_accx_waits = constant i8 1
; CHECK-DAG: @empty_accx_waits = constant i8 1
; CHECK-NOT: @old_accx_waits
; CHECK-NOT: @oldptx_accx_waits
; CHECK-NOT: @function_accx_waits
; HOST-NOT: griddepcontrol
; HOST-NOT: _accx_waits

; Places are computed ahead of it.
; CHECK-LABEL: define weak protected void @weak(
; CHECK-NEXT: %local = alloca
; CHECK-NEXT: %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK-NEXT: %p = getelementptr
; CHECK-NEXT: call void asm sideeffect "griddepcontrol.wait;", "~{memory}"()
; CHECK-NEXT: %v = load
; CHECK-NOT: griddepcontrol
define weak protected void @weak(ptr %a) #0 {
  %local = alloca i32
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %a, i32 %t
  %v = load i32, ptr %p
  store i32 %v, ptr %local
  ret void
}

; All that is behind the first block is behind it, and the loop does not repeat it.
; CHECK-LABEL: define void @inner(
; CHECK-NEXT: entry:
; CHECK-NEXT: call void asm sideeffect "griddepcontrol.wait;"
; CHECK-NEXT: br label %loop
; CHECK-NOT: griddepcontrol
define void @inner(ptr %a) #0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %n = add i32 %i, 1
  store volatile i32 %i, ptr %a
  %c = icmp eq i32 %n, 9
  br i1 %c, label %done, label %loop
done:
  ret void
}

; CHECK-LABEL: define void @calls(
; CHECK-NEXT: call void asm sideeffect "griddepcontrol.wait;"
; CHECK-NEXT: call void @unknown()
define void @calls() #0 {
  call void @unknown()
  ret void
}

; What is known of it does not hold any more.
; CHECK-LABEL: define void @empty(
; CHECK-SAME: #[[PLAIN:[0-9]+]]
; CHECK-NEXT: call void asm sideeffect "griddepcontrol.wait;"
; CHECK-NEXT: ret void
define void @empty() #1 {
  ret void
}

; CHECK-LABEL: define void @old(
; CHECK-NOT: griddepcontrol
define void @old(ptr %a) #2 {
  store i32 0, ptr %a
  ret void
}

define void @oldptx(ptr %a) #3 {
  store i32 0, ptr %a
  ret void
}

define void @function(ptr %a) #0 {
  store i32 0, ptr %a
  ret void
}

; CHECK: attributes #[[PLAIN]] = { nounwind "target-cpu"
attributes #0 = { "target-cpu"="sm_90" "target-features"="+ptx85,+sm_90" }
attributes #1 = { nosync nounwind memory(none) "target-cpu"="sm_90" "target-features"="+ptx63,+ptx85,+sm_90" }
attributes #2 = { "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" }
attributes #3 = { "target-cpu"="sm_90" "target-features"="+ptx77,+sm_90" }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5}
!0 = !{ptr @weak, !"kernel", i32 1}
!1 = !{ptr @inner, !"kernel", i32 1}
!2 = !{ptr @calls, !"kernel", i32 1}
!3 = !{ptr @empty, !"kernel", i32 1}
!4 = !{ptr @old, !"kernel", i32 1}
!5 = !{ptr @oldptx, !"kernel", i32 1}
