; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Small loops whose step is a variable are marked for unrolling. Their counters
; do not wrap, either way, once the start is known to be at least 0 and below
; the bound: steps that are not positive would never end. On processors, and
; where any of that is missing, nothing changes.
;
; RUN: opt -load-pass-plugin=%accx_plugin -passes=grid-tune -S -pass-remarks=grid-tune %s 2>&1 | FileCheck %s --implicit-check-not=remark:
; RUN: opt -load-pass-plugin=%accx_plugin -passes='grid-tune,loop-unroll' -S %s | FileCheck %s --check-prefix=CODE
; RUN: sed 's/nvptx64-nvidia-cuda/x86_64-pc-linux-gnu/' %s | opt -load-pass-plugin=%accx_plugin -passes=grid-tune -S | FileCheck %s --check-prefix=HOST
; RUN: opt -load-pass-plugin=%accx_plugin -passes=grid-tune -accx-grid-unroll=0 -S %s | FileCheck %s --check-prefix=HOST

target triple = "nvptx64-nvidia-cuda"

; CHECK: remark: {{.*}} a small sequential loop marked for unrolling
; CHECK: remark: {{.*}} a small sequential loop marked for unrolling

; HOST-NOT: %next = add nuw
; HOST-NOT: unroll.count

declare void @other()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define float @rows(
; CHECK: %next = add nuw nsw i32 %i, %step
; CHECK: br i1 %more, label %loop, label %done, !llvm.loop [[ROWS:![0-9]+]]
; Four loads a round, of which a condition that does not change guards each, and
; those of what is left.
; CODE-LABEL: define float @rows(
; CODE-COUNT-5: load float
define float @rows(ptr %p, i32 %step, i32 %n, i1 %inside) {
entry:
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %enters = icmp slt i32 %t, %n
  br i1 %enters, label %loop, label %none
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %latch ]
  %s = phi float [ 0.0, %entry ], [ %sum, %latch ]
  br i1 %inside, label %read, label %latch
read:
  %at = sext i32 %i to i64
  %address = getelementptr float, ptr %p, i64 %at
  %value = load float, ptr %address
  br label %latch
latch:
  %v = phi float [ %value, %read ], [ 0.0, %loop ]
  %sum = fadd float %s, %v
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done, !llvm.loop !0
done:
  ret float %sum
none:
  ret float 0.0
}

; The test is turned around, and the step comes first.
; CHECK-LABEL: define float @turned(
; CHECK: %next = add nuw nsw i64 %step, %i
define float @turned(ptr %p, i64 %step, i64 %n) {
entry:
  %enters = icmp sgt i64 %n, 5
  br i1 %enters, label %loop, label %none
loop:
  %i = phi i64 [ 5, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %address = getelementptr float, ptr %p, i64 %i
  %value = load float, ptr %address
  %sum = fadd float %s, %value
  %next = add nsw i64 %step, %i
  %ends = icmp sle i64 %n, %next
  br i1 %ends, label %done, label %loop, !llvm.loop !1
done:
  ret float %sum
none:
  ret float 0.0
}

; One iteration of a negative step is right here: 1 - 2 is below 0, and nothing
; asks for 1 < 0.
; CHECK-LABEL: define float @unguarded(
; CHECK: %next = add nsw i32 %i, %step
; CHECK: br i1 %more, label %loop, label %done{{$}}
define float @unguarded(ptr %p, i32 %step, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 1, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %address = getelementptr float, ptr %p, i64 %at
  %value = load float, ptr %address
  %sum = fadd float %s, %value
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret float %sum
}

; From below 0, a counter does wrap as an unsigned one.
; CHECK-LABEL: define float @negative(
; CHECK: %next = add nsw i32 %i, %step
define float @negative(ptr %p, i32 %start, i32 %step, i32 %n) {
entry:
  %enters = icmp slt i32 %start, %n
  br i1 %enters, label %loop, label %none
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %address = getelementptr float, ptr %p, i64 %at
  %value = load float, ptr %address
  %sum = fadd float %s, %value
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret float %sum
none:
  ret float 0.0
}

; Code that is to be small stays so.
; CHECK-LABEL: define float @small(
; CHECK: br i1 %more, label %loop, label %done{{$}}
define float @small(ptr %p, i32 %step, i32 %n) optsize {
entry:
  %enters = icmp slt i32 0, %n
  br i1 %enters, label %loop, label %none
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %address = getelementptr float, ptr %p, i64 %at
  %value = load float, ptr %address
  %sum = fadd float %s, %value
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret float %sum
none:
  ret float 0.0
}

; What is called may end the program before a counter wraps.
; CHECK-LABEL: define float @leaves(
; CHECK: %next = add nsw i32 %i, %step
define float @leaves(ptr %p, i32 %step, i32 %n) {
entry:
  %enters = icmp slt i32 0, %n
  br i1 %enters, label %loop, label %none
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %address = getelementptr float, ptr %p, i64 %at
  %value = load float, ptr %address
  call void @other()
  %sum = fadd float %s, %value
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret float %sum
none:
  ret float 0.0
}

; A counter that may wrap has no last value.
; CHECK-LABEL: define float @wraps(
; CHECK: %next = add i32 %i, %step
define float @wraps(ptr %p, i32 %step, i32 %n) {
entry:
  %enters = icmp slt i32 0, %n
  br i1 %enters, label %loop, label %none
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %address = getelementptr float, ptr %p, i64 %at
  %value = load float, ptr %address
  %sum = fadd float %s, %value
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret float %sum
none:
  ret float 0.0
}

; The program says how often.
; CHECK-LABEL: define float @told(
; CHECK: br i1 %more, label %loop, label %done, !llvm.loop [[TOLD:![0-9]+]]
define float @told(ptr %p, i32 %step, i32 %n) {
entry:
  %enters = icmp slt i32 0, %n
  br i1 %enters, label %loop, label %none
loop:
  %i = phi i32 [ 0, %entry ], [ %counted, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %address = getelementptr float, ptr %p, i64 %at
  %value = load float, ptr %address
  %sum = fadd float %s, %value
  %counted = add nuw nsw i32 %i, %step
  %more = icmp slt i32 %counted, %n
  br i1 %more, label %loop, label %done, !llvm.loop !2
done:
  ret float %sum
none:
  ret float 0.0
}

; CHECK: [[ROWS]] = distinct !{[[ROWS]], [[MUST:![0-9]+]], [[COUNT:![0-9]+]]}
; CHECK: [[COUNT]] = !{!"llvm.loop.unroll.count", i32 4}
; CHECK: [[TOLD]] = distinct !{[[TOLD]], [[MUST]], [[OFF:![0-9]+]]}
; CHECK: [[OFF]] = !{!"llvm.loop.unroll.disable"}
!0 = distinct !{!0, !3}
!1 = distinct !{!1, !3}
!2 = distinct !{!2, !3, !4}
!3 = !{!"llvm.loop.mustprogress"}
!4 = !{!"llvm.loop.unroll.disable"}
