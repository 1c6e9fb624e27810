; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Reductions whose way is not known to be chosen by a switch, and those whose
; location is no constant, keep libomp's choice. Remarks say why.
;
; RUN: opt -load-pass-plugin=%accx_plugin -passes=lock-reductions -S %s -pass-remarks-missed=lock-reductions 2>&1 | FileCheck %s

target triple = "x86_64-pc-linux-gnu"

; CHECK-DAG: remark: {{.*}}: reduction may use atomics of libatomic, which is not linked: the code that chooses its way is not known
; CHECK-DAG: remark: {{.*}}: reduction may use atomics of libatomic, which is not linked: what tells libomp of its atomics is no constant
; CHECK-NOT: remark:
; CHECK-NOT: accx.lock

declare i32 @__kmpc_reduce_nowait(ptr, i32, i32, i64, ptr, ptr, ptr)
declare void @__atomic_load(i64, ptr, ptr, i32)

; CHECK-LABEL: define i32 @answer(
define i32 @answer(ptr %location, ptr %list) {
  %way = call i32 @__kmpc_reduce_nowait(ptr %location, i32 0, i32 1, i64 8, ptr %list, ptr null, ptr null)
  ret i32 %way
}

; CHECK-LABEL: define void @location(
; CHECK: i32 2, label %atomics
define void @location(ptr %location, ptr %list, ptr %x) {
entry:
  %way = call i32 @__kmpc_reduce_nowait(ptr %location, i32 0, i32 1, i64 8, ptr %list, ptr null, ptr null)
  switch i32 %way, label %done [
    i32 1, label %done
    i32 2, label %atomics
  ]
atomics:
  call void @__atomic_load(i64 16, ptr %x, ptr %list, i32 0)
  br label %done
done:
  ret void
}

; libatomic is not called: nothing has to change, and nothing is said.
; CHECK-LABEL: define void @plain(
define void @plain(ptr %location, ptr %list, ptr %x) {
entry:
  %way = call i32 @__kmpc_reduce_nowait(ptr %location, i32 0, i32 1, i64 8, ptr %list, ptr null, ptr null)
  switch i32 %way, label %done [
    i32 1, label %done
    i32 2, label %atomics
  ]
atomics:
  %old = atomicrmw add ptr %x, i32 1 monotonic
  br label %done
done:
  ret void
}
