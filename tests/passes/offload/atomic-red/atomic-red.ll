; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Atomics of the device's memory whose results nobody reads are reductions.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=atomic-red,verify -S %s \
; RUN:   | FileCheck %s
; The back end's passes know the address.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=atomic-red %s -o - \
; RUN:   | llc-19 -mtriple=nvptx64-nvidia-cuda -mcpu=sm_70 \
; RUN:   | FileCheck %s --check-prefix=PTX
; Processors have no such instruction.
; RUN: sed 's/nvptx64-nvidia-cuda/x86_64-pc-linux-gnu/' %s \
; RUN:   | opt -load-pass-plugin=%accx_plugin -passes=atomic-red -S \
; RUN:   | FileCheck %s --check-prefix=NONE
; NONE-NOT: red.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@counter = addrspace(1) global i32 0
@shared = internal addrspace(3) global i32 undef

; CHECK-LABEL: define void @__omp_offloading_kernel(
; CHECK-COUNT-12: call void asm sideeffect "red.global.
; CHECK-NOT: red.
; CHECK: ret void
; PTX-LABEL: .entry __omp_offloading_kernel(
; PTX: cvta.to.global.u64 [[A:%rd[0-9]+]]
; PTX: red.global.add.u32 [%rd
; PTX: red.global.add.u32 [%rd
; PTX: red.global.add.u64 [%rd
; PTX: red.global.and.b32 [%rd
; PTX: red.global.or.b64 [%rd
; PTX: red.global.xor.b64 [%rd
; PTX: red.global.min.s32 [%rd
; PTX: red.global.max.s64 [%rd
; PTX: red.global.min.u32 [%rd
; PTX: red.global.max.u64 [%rd
; PTX: red.global.add.f32 [%rd
; PTX: red.global.add.f64 [%rd
; PTX-NOT: {{atom|red}}.
; PTX: ret;
define void @__omp_offloading_kernel(ptr %a, i64 %at, float %f, double %d) {
  %p = getelementptr i64, ptr %a, i64 %at
  %1 = atomicrmw add ptr %p, i32 3 monotonic
  %2 = atomicrmw sub ptr %p, i32 3 monotonic
  %3 = atomicrmw add ptr %p, i64 3 monotonic
  %4 = atomicrmw and ptr %p, i32 3 monotonic
  %5 = atomicrmw or ptr %p, i64 3 monotonic
  %6 = atomicrmw xor ptr %p, i64 3 monotonic
  %7 = atomicrmw min ptr %p, i32 3 monotonic
  %8 = atomicrmw max ptr %p, i64 3 monotonic
  %9 = atomicrmw umin ptr %p, i32 3 monotonic
  %10 = atomicrmw umax ptr %p, i64 3 monotonic
  %11 = atomicrmw fadd ptr %p, float %f monotonic
  %12 = atomicrmw fadd ptr %p, double %d monotonic
  ret void
}

; One of two arguments, a variable of the device, an address in its space.
; CHECK-LABEL: define void @__omp_offloading_places(
; CHECK: select
; CHECK: red.global.add.u32
; CHECK: red.global.add.u32
; CHECK: red.global.add.u32
; CHECK: ret void
define void @__omp_offloading_places(ptr %a, ptr %b, ptr addrspace(1) %c, i1 %which) {
  %p = select i1 %which, ptr %a, ptr %b
  %1 = atomicrmw add ptr %p, i32 1 monotonic
  %2 = atomicrmw add ptr addrspacecast (ptr addrspace(1) @counter to ptr), i32 1 monotonic
  %3 = atomicrmw add ptr addrspace(1) %c, i32 1 monotonic
  ret void
}

; Results that are read, exchanges, orders, volatile ones, types and operations
; that PTX does not have so, memory of teams or of nobody knows whom.
; CHECK-LABEL: define i32 @__omp_offloading_others(
; CHECK-NOT: red.
; CHECK: ret i32
define i32 @__omp_offloading_others(ptr %a, ptr byval(i32) %value, i1 %which) {
  %used = atomicrmw add ptr %a, i32 1 monotonic
  %1 = atomicrmw xchg ptr %a, i32 1 monotonic
  %2 = atomicrmw add ptr %a, i32 1 seq_cst
  %3 = atomicrmw volatile add ptr %a, i32 1 monotonic
  %4 = atomicrmw add ptr %a, i16 1 monotonic
  %5 = atomicrmw fmax ptr %a, float 1.0 monotonic
  %6 = atomicrmw add ptr addrspace(3) @shared, i32 1 monotonic
  %7 = atomicrmw add ptr addrspacecast (ptr addrspace(3) @shared to ptr), i32 1 monotonic
  %mixed = select i1 %which, ptr %a, ptr addrspacecast (ptr addrspace(3) @shared to ptr)
  %8 = atomicrmw add ptr %mixed, i32 1 monotonic
  %p = load ptr, ptr %a
  %9 = atomicrmw add ptr %p, i32 1 monotonic
  %10 = atomicrmw add ptr %value, i32 1 monotonic
  ret i32 %used
}

; Whoever calls a function may have any pointer.
; CHECK-LABEL: define void @function(
; CHECK-NOT: red.
; CHECK: ret void
define void @function(ptr %a) {
  %1 = atomicrmw add ptr %a, i32 1 monotonic
  ret void
}

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @__omp_offloading_kernel, !"kernel", i32 1}
!1 = !{ptr @__omp_offloading_places, !"kernel", i32 1}
!2 = !{ptr @__omp_offloading_others, !"kernel", i32 1}
