; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Kernels wait for the work before them ahead of their first access to memory,
; where device and PTX have the instruction, and their environments say so in
; the byte behind the execution mode.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=dependent-launch -S %s \
; RUN:   | FileCheck %s
; Kernels that cannot say so.
; RUN: opt -load-pass-plugin=%accx_plugin -disable-output %s \
; RUN:   -passes=dependent-launch -pass-remarks-missed=dependent-launch 2>&1 \
; RUN:   | FileCheck %s --check-prefix=WHY
; Twice is once.
; RUN: opt -load-pass-plugin=%accx_plugin -S %s \
; RUN:   -passes=dependent-launch,dependent-launch | FileCheck %s
; RUN: opt -load-pass-plugin=%accx_plugin -disable-output %s \
; RUN:   -passes=dependent-launch,dependent-launch \
; RUN:   -pass-remarks-missed=dependent-launch 2>&1 | FileCheck %s --check-prefix=TWICE
; TWICE-COUNT-6: remark: {{.*}}: the kernel starts when the one before it has
; TWICE-NOT: remark:
; On processors there is nothing to do, nor where the device's runtime comes
; later, with passes that read environments.
; RUN: sed 's/nvptx64-nvidia-cuda/x86_64-pc-linux-gnu/' %s \
; RUN:   | opt -load-pass-plugin=%accx_plugin -passes=dependent-launch -S \
; RUN:   | FileCheck %s --check-prefix=NONE
; RUN: sed 's/@unknown()/@__kmpc_target_init()/' %s \
; RUN:   | opt -load-pass-plugin=%accx_plugin -passes=dependent-launch -S \
; RUN:   | FileCheck %s --check-prefix=NONE
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%fields = type { i8, i8, i8, i32, i32, i32, i32, i32, i32 }
%environment = type { %fields, ptr, ptr }

; WHY: remark: {{.*}}: the kernel starts when the one before it has ended: sm_90 and PTX 7.8 are the first with the instruction that waits
; WHY-NEXT: remark: {{.*}}: the kernel starts when the one before it has ended: sm_90 and PTX 7.8 are the first
; WHY-NEXT: remark: {{.*}}: the kernel starts when the one before it has ended: its environment has no byte left
; WHY-NOT: remark:
; NONE-NOT: i8, i8, i8, i8, i32, i32
; NONE-NOT: griddepcontrol
; CHECK: @weak_kernel_environment = weak_odr protected constant { { i8, i8, i8, i8, i32, i32, i32, i32, i32, i32 }, ptr, ptr } { { i8, i8, i8, i8, i32, i32, i32, i32, i32, i32 } { i8 0, i8 0, i8 2, i8 1, i32 1, i32 1024, i32 0, i32 -1, i32 0, i32 0 }, ptr null, ptr @dynamic }
@weak_kernel_environment = weak_odr protected constant %environment { %fields { i8 0, i8 0, i8 2, i32 1, i32 1024, i32 0, i32 -1, i32 0, i32 0 }, ptr null, ptr @dynamic }
; CHECK: @inner_kernel_environment = internal addrspace(1) constant { { {{.*}} { i8 1, i8 1, i8 1, i8 1, i32 1,
@inner_kernel_environment = internal addrspace(1) constant %environment { %fields { i8 1, i8 1, i8 1, i32 1, i32 1024, i32 0, i32 -1, i32 0, i32 0 }, ptr null, ptr @dynamic }
@calls_kernel_environment = constant %environment { %fields { i8 0, i8 0, i8 2, i32 1, i32 1024, i32 0, i32 -1, i32 0, i32 0 }, ptr null, ptr @dynamic }
@empty_kernel_environment = constant %environment { %fields { i8 0, i8 0, i8 2, i32 1, i32 1024, i32 0, i32 -1, i32 0, i32 0 }, ptr null, ptr @dynamic }
; CHECK: @old_kernel_environment = constant %environment { %fields { i8 0, i8 0, i8 2, i32 1,
@old_kernel_environment = constant %environment { %fields { i8 0, i8 0, i8 2, i32 1, i32 1024, i32 0, i32 -1, i32 0, i32 0 }, ptr null, ptr @dynamic }
; CHECK: @oldptx_kernel_environment = constant %environment { %fields { i8 0, i8 0, i8 2, i32 1,
@oldptx_kernel_environment = constant %environment { %fields { i8 0, i8 0, i8 2, i32 1, i32 1024, i32 0, i32 -1, i32 0, i32 0 }, ptr null, ptr @dynamic }
; A byte that is none of padding.
; CHECK: @full_kernel_environment = constant { { i8, i8, i8, i8, i32 } } { { i8, i8, i8, i8, i32 } { i8 0, i8 0, i8 2, i8 7,
@full_kernel_environment = constant { { i8, i8, i8, i8, i32 } } { { i8, i8, i8, i8, i32 } { i8 0, i8 0, i8 2, i8 7, i32 1 } }
@dynamic = weak_odr protected global i16 0
; CHECK: @user = global ptr @weak_kernel_environment
@user = global ptr @weak_kernel_environment

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() nounwind memory(none)
declare void @unknown()

; Places are computed ahead of it.
; CHECK-LABEL: define weak_odr protected void @weak(
; CHECK-NEXT: %local = alloca
; CHECK-NEXT: %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK-NEXT: %p = getelementptr
; CHECK-NEXT: call void asm sideeffect "griddepcontrol.wait;", "~{memory}"()
; CHECK-NEXT: %v = load
; CHECK-NOT: griddepcontrol
define weak_odr protected void @weak(ptr %a) #0 {
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

define void @full(ptr %a) #0 {
  store i32 0, ptr %a
  ret void
}

; No kernel of OpenMP's.
define void @bare(ptr %a) #0 {
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

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7}
!0 = !{ptr @weak, !"kernel", i32 1}
!1 = !{ptr @inner, !"kernel", i32 1}
!2 = !{ptr @calls, !"kernel", i32 1}
!3 = !{ptr @empty, !"kernel", i32 1}
!4 = !{ptr @old, !"kernel", i32 1}
!5 = !{ptr @oldptx, !"kernel", i32 1}
!6 = !{ptr @full, !"kernel", i32 1}
!7 = !{ptr @bare, !"kernel", i32 1}
