; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; accx-keep-smc puts notes where markers of regions stand, with the same
; arguments in the same order, and a fence behind what iterations of a channel's
; region may share. Functions without channels get no fences.
;
; RUN: opt -load-pass-plugin=%accx_plugin -passes="accx-keep-smc,accx-strip-markers,verify" -S %s | FileCheck %s --implicit-check-not=__accx_marker

target triple = "nvptx64-nvidia-cuda"

@where = private constant [7 x i8] c"a.c: a\00"

declare void @__accx_marker_smc_begin(ptr, ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64)
declare void @__accx_marker_smc_end()
declare void @__accx_marker_smc_barrier()
declare void @__accx_marker_smc_team(ptr, ptr)

; CHECK-LABEL: define void @channel(
; CHECK:         call void (i64, i32, ...) @llvm.experimental.stackmap(i64 [[#%d,BEGIN:]], i32 0, ptr @where, ptr %A, i64 2, i64 4, i64 4, i64 1, i64 4, i64 7,
; CHECK-NEXT:    call void (i64, i32, ...) @llvm.experimental.stackmap(i64 [[#BEGIN+3]], i32 0, ptr @where, ptr %A)
; CHECK-NEXT:    store i32 1, ptr %A
; CHECK-NEXT:    call void (i64, i32, ...) @llvm.experimental.stackmap(i64 [[#BEGIN+4]], i32 0)
; CHECK-NEXT:    store i32 2, ptr %Own
; CHECK-NEXT:    call void (i64, i32, ...) @llvm.experimental.stackmap(i64 [[#BEGIN+2]], i32 0)
; CHECK-NEXT:    call void (i64, i32, ...) @llvm.experimental.stackmap(i64 [[#BEGIN+1]], i32 0)
; CHECK-NEXT:    ret void
define void @channel(ptr %A) {
  %Own = alloca i32
  call void @__accx_marker_smc_begin(ptr @where, ptr %A, i64 2, i64 4, i64 4, i64 1, i64 4, i64 7, i64 1, i64 0, i64 9, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0)
  call void @__accx_marker_smc_team(ptr @where, ptr %A)
  store i32 1, ptr %A
  store i32 2, ptr %Own
  call void @__accx_marker_smc_barrier()
  call void @__accx_marker_smc_end()
  ret void
}

; CHECK-LABEL: define void @cached(
; CHECK:         store i32 1, ptr %A
; CHECK-NEXT:    call void (i64, i32, ...) @llvm.experimental.stackmap(i64 [[#BEGIN+1]], i32 0)
; CHECK-NEXT:    ret void
define void @cached(ptr %A) {
  call void @__accx_marker_smc_begin(ptr @where, ptr %A, i64 1, i64 4, i64 4, i64 1, i64 4, i64 7, i64 1, i64 0, i64 9, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0)
  store i32 1, ptr %A
  call void @__accx_marker_smc_end()
  ret void
}
