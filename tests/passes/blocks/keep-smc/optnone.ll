; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Without optimization a channel is an error that names its array, and a block
; with barriers one of its own. A hint goes without a word.
;
; RUN: %tools/split-file %s %t
; RUN: not opt -load-pass-plugin=%accx_plugin -passes=accx-keep-smc -S %t/channel.ll 2>&1 | FileCheck %s
; RUN: not opt -load-pass-plugin=%accx_plugin -passes=accx-keep-smc -S %t/team.ll 2>&1 | FileCheck %s --check-prefix=TEAM
; RUN: opt -load-pass-plugin=%accx_plugin -passes="accx-keep-smc,accx-strip-markers,verify" -S %t/hint.ll | FileCheck %s --check-prefix=HINT --implicit-check-not=stackmap

; CHECK: error: a.c: a: a channel type of fcw needs optimization, -O1 or above
; TEAM: error: a.c: a: blocks with barriers need optimization, -O1 or above
; HINT: define void @hint(

;--- channel.ll
target triple = "nvptx64-nvidia-cuda"
@where = private constant [7 x i8] c"a.c: a\00"
declare void @__accx_marker_smc_begin(ptr, ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64)
define void @channel(ptr %A) noinline optnone {
  call void @__accx_marker_smc_begin(ptr @where, ptr %A, i64 2, i64 4, i64 4, i64 1, i64 4, i64 7, i64 1, i64 0, i64 9, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0)
  ret void
}

;--- team.ll
target triple = "nvptx64-nvidia-cuda"
@where = private constant [7 x i8] c"a.c: a\00"
declare void @__accx_marker_smc_begin(ptr, ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64)
define void @team(ptr %A) noinline optnone {
  call void @__accx_marker_smc_begin(ptr @where, ptr %A, i64 18, i64 4, i64 4, i64 1, i64 4, i64 7, i64 1, i64 0, i64 9, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0)
  ret void
}

;--- hint.ll
target triple = "nvptx64-nvidia-cuda"
@where = private constant [7 x i8] c"a.c: a\00"
declare void @__accx_marker_smc_begin(ptr, ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64)
define void @hint(ptr %A) noinline optnone {
  call void @__accx_marker_smc_begin(ptr @where, ptr %A, i64 1, i64 4, i64 4, i64 1, i64 4, i64 7, i64 1, i64 0, i64 9, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0)
  ret void
}
