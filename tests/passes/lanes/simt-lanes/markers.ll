; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; From markers to marks: a simd loop belongs to the marker that is open at its
; entry. One between two pairs has none, and neither has one that is no simd loop.
;
; RUN: opt -load-pass-plugin=%plugin -passes=accx-mark-lanes,accx-strip-markers,verify -S %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @several(
; CHECK: br i1 %{{.*}}, label %first, label %{{.*}}, !llvm.loop ![[FIRST:[0-9]+]]
; CHECK: br i1 %{{.*}}, label %second, label %{{.*}}, !llvm.loop ![[SECOND:[0-9]+]]
; CHECK: br i1 %{{.*}}, label %third, label %{{.*}}, !llvm.loop ![[THIRD:[0-9]+]]
; CHECK: br i1 %{{.*}}, label %fourth, label %{{.*}}, !llvm.loop ![[FOURTH:[0-9]+]]
define void @several(i1 %c) {
entry:
  call void @__accx_marker_lanes_begin(i64 16)
  br label %first
first:
  br i1 %c, label %first, label %between, !llvm.loop !0
between:
  call void @__accx_marker_lanes_end()
  br label %second
second:
  br i1 %c, label %second, label %next, !llvm.loop !2
next:
  call void @__accx_marker_lanes_begin(i64 0)
  br i1 %c, label %guarded, label %end
guarded:
  br label %third
third:
  br i1 %c, label %third, label %end, !llvm.loop !3
end:
  call void @__accx_marker_lanes_end()
  call void @__accx_marker_lanes_begin(i64 0)
  br label %fourth
fourth:
  br i1 %c, label %fourth, label %done, !llvm.loop !4
done:
  call void @__accx_marker_lanes_end()
  ret void
}

declare void @__accx_marker_lanes_begin(i64)
declare void @__accx_marker_lanes_end()

; CHECK-DAG: ![[FIRST]] = distinct !{![[FIRST]], ![[SIMD:[0-9]+]], ![[SIXTEEN:[0-9]+]]}
; CHECK-DAG: ![[SIXTEEN]] = !{!"accx.lanes.vector", i32 16}
; CHECK-DAG: ![[SECOND]] = distinct !{![[SECOND]], ![[SIMD]]}
; CHECK-DAG: ![[THIRD]] = distinct !{![[THIRD]], ![[SIMD]], ![[ANY:[0-9]+]]}
; CHECK-DAG: ![[ANY]] = !{!"accx.lanes.vector", i32 0}
; CHECK-DAG: ![[FOURTH]] = distinct !{![[FOURTH]]}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
!4 = distinct !{!4}
