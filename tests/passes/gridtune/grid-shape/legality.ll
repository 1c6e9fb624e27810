; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a kernel must not do for a second one that runs each iteration on a thread
; of its own: one that may be copied, and what makes each a kernel that may not.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=grid-shape -S %s \
; RUN:   | opt -passes=verify -S | FileCheck %s
; RUN: sed 's/i1 true}/i1 false}/' %s | opt -load-pass-plugin=%accx_plugin \
; RUN:   -passes=grid-shape -pass-remarks-missed=grid-shape -S 2>&1 \
; RUN:   | FileCheck %s --check-prefixes=THREAD,NONE
; RUN: sed 's/^; block://' %s | opt -load-pass-plugin=%accx_plugin \
; RUN:   -passes=grid-shape -pass-remarks-missed=grid-shape -S 2>&1 \
; RUN:   | FileCheck %s --check-prefixes=BLOCK,NONE
; RUN: sed 's/^; start://' %s | opt -load-pass-plugin=%accx_plugin \
; RUN:   -passes=grid-shape -pass-remarks-missed=grid-shape -S 2>&1 \
; RUN:   | FileCheck %s --check-prefixes=BLOCK,NONE
; RUN: sed 's/icmp ult i64 %next/icmp slt i64 %next/' %s \
; RUN:   | opt -load-pass-plugin=%accx_plugin \
; RUN:   -passes=grid-shape -pass-remarks-missed=grid-shape -S 2>&1 \
; RUN:   | FileCheck %s --check-prefixes=CONTROL,NONE
; RUN: sed 's/^; other://' %s | opt -load-pass-plugin=%accx_plugin \
; RUN:   -passes=grid-shape -pass-remarks-missed=grid-shape -S 2>&1 \
; RUN:   | FileCheck %s --check-prefixes=SEVERAL,NONE
; RUN: opt -load-pass-plugin=%accx_plugin -passes='grid-shape,grid-shape' -S %s \
; RUN:   | FileCheck %s

; CHECK: @k_accx_grid_kernel_environment = weak_odr protected constant
; CHECK: @k_accx_desc = weak_odr protected constant
; CHECK-NOT: _accx_desc = weak_odr
; CHECK: define weak_odr protected void @k(
; CHECK: udiv i64 %iv, %m
; CHECK: define weak_odr protected void @k_accx_grid(
; CHECK: call i32 @__kmpc_target_init(ptr @k_accx_grid_kernel_environment
; CHECK-NOT: udiv i64
; CHECK: ![[#]] = !{ptr @k_accx_grid, !"kernel", i32 1}
; THREAD: a nest has a grid of one dimension: its body may ask which thread runs it
; BLOCK: a nest has a grid of one dimension: other code of the kernel asks which block runs it
; CONTROL: a nest has a grid of one dimension: its control is not recognized
; SEVERAL: a nest has a grid of one dimension: its kernel has other distributed loops
; A copy that was begun leaves nothing.
; NONE-NOT: accx_grid

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%env = type { i8, i8, i8, i32, i32, i32, i32, i32, i32 }
@k_kernel_environment = weak_odr protected constant { %env, ptr, ptr } { %env { i8 0, i8 0, i8 2, i32 1, i32 256, i32 0, i32 0, i32 0, i32 0 }, ptr null, ptr null }

declare i32 @__kmpc_target_init(ptr, ptr)
declare void @__kmpc_target_deinit()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()

define weak_odr protected void @k(ptr %e, i64 %n, i64 %m, ptr %a) {
entry:
  %init = call i32 @__kmpc_target_init(ptr @k_kernel_environment, ptr %e)
  %trip = mul nuw i64 %n, %m
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
; block:  store i32 %block, ptr %a
  %thread.w = zext i32 %thread to i64
  %threads.w = zext i32 %threads to i64
  %block.w = zext i32 %block to i64
  %blocks.w = zext i32 %blocks to i64
  %first = mul nuw nsw i64 %block.w, %threads.w
  %start = add nuw nsw i64 %first, %thread.w
; start:  store i64 %start, ptr %a
  %step = mul nuw nsw i64 %blocks.w, %threads.w
  %some = icmp ult i64 %start, %trip
  br i1 %some, label %head, label %done
head:
  br label %body
body:
  %iv = phi i64 [ %start, %head ], [ %next, %latch ]
  %i = udiv i64 %iv, %m
  %before = mul nuw i64 %i, %m
  %j = sub nuw i64 %iv, %before
  br label %sum
sum:
  %k = phi i64 [ 0, %body ], [ %k.next, %sum ]
  %s = phi float [ 0.0, %body ], [ %s.next, %sum ]
  %row = mul i64 %k, %m
  %at = add i64 %row, %j
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  %s.next = fadd float %s, %x
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %i
  br i1 %more, label %sum, label %latch
latch:
  %q = getelementptr float, ptr %a, i64 %iv
  store float %s.next, ptr %q
  %next = add nuw nsw i64 %iv, %step
  %goes = icmp ult i64 %next, %trip
  br i1 %goes, label %body, label %done.loop, !llvm.loop !0
done.loop:
  br label %done
done:
; other:  br label %again
; other:again:
; other:  %o = phi i64 [ 0, %done ], [ %o.next, %again ]
; other:  %oq = getelementptr float, ptr %a, i64 %o
; other:  store float 1.0, ptr %oq
; other:  %o.next = add i64 %o, %step
; other:  %o.goes = icmp ult i64 %o.next, %trip
; other:  br i1 %o.goes, label %again, label %out, !llvm.loop !4
; other:out:
  call void @__kmpc_target_deinit()
  ret void
}

!nvvm.annotations = !{!2, !3}
!0 = distinct !{!0, !1}
!1 = !{!"accx.grid_loop", i32 64, i1 true}
!2 = !{ptr @k, !"kernel", i32 1}
!3 = !{ptr @k, !"maxntidx", i32 1024}
!4 = distinct !{!4, !1}
!llvm.module.flags = !{!5}
!5 = !{i32 7, !"openmp-device", i32 51}
