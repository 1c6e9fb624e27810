; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Device functions with one call are inlined there, however large they are and
; whoever else might call them.
; RUN: opt -load-pass-plugin=%accx_plugin -passes=called-once,verify -S %s \
; RUN:   | FileCheck %s
; RUN: opt -load-pass-plugin=%accx_plugin '-passes=default<O2>' -S %s \
; RUN:   | FileCheck %s --check-prefix=ON
; RUN: opt -load-pass-plugin=%accx_plugin '-passes=default<O2>' -S %s \
; RUN:   -accx-called-once=0 -inline-threshold=-1000 | FileCheck %s --check-prefix=OFF
; RUN: sed 's/nvptx64-nvidia-cuda/x86_64-pc-linux-gnu/' %s \
; RUN:   | opt -load-pass-plugin=%accx_plugin -passes=called-once -S \
; RUN:   | FileCheck %s --check-prefix=HOST
; HOST-NOT: alwaysinline
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@table = global ptr @address

; CHECK: define i32 @once(i32 %x) [[ALWAYS:#[0-9]+]]
define i32 @once(i32 %x) {
  %y = call i32 @within(i32 %x)
  ret i32 %y
}
; Calls within such a function count as any.
; CHECK: define i32 @within(i32 %x) [[ALWAYS]]
define i32 @within(i32 %x) {
  %y = mul i32 %x, 7
  ret i32 %y
}
; Its address is nobody's call.
; CHECK: define i32 @address(i32 %x) [[ALWAYS]]
define i32 @address(i32 %x) {
  ret i32 %x
}
; CHECK: define i32 @twice(i32 %x) {
define i32 @twice(i32 %x) {
  ret i32 %x
}
; CHECK: define i32 @itself(i32 %x) {
define i32 @itself(i32 %x) {
  %y = call i32 @itself(i32 %x)
  ret i32 %y
}
; One call each, of one another.
; CHECK: define i32 @ping(i32 %x) {
define i32 @ping(i32 %x) {
  %y = call i32 @pong(i32 %x)
  ret i32 %y
}
; CHECK: define i32 @pong(i32 %x) {
define i32 @pong(i32 %x) {
  %y = call i32 @ping(i32 %x)
  ret i32 %y
}
; CHECK: define i32 @apart(i32 %x) [[APART:#[0-9]+]] {
define i32 @apart(i32 %x) noinline {
  ret i32 %x
}
; CHECK: define weak i32 @another(i32 %x) {
define weak i32 @another(i32 %x) {
  ret i32 %x
}
; CHECK: define i32 @__library(i32 %x) {
define i32 @__library(i32 %x) {
  ret i32 %x
}
; CHECK: define i32 @lists(i32 %x, ...) {
define i32 @lists(i32 %x, ...) {
  ret i32 %x
}

; ON-LABEL: define void @kernel(
; ON-NOT: @once(
; ON-NOT: @within(
; ON-NOT: @address(
; ON: call i32 @another(
; OFF-LABEL: define void @kernel(
; OFF: call i32 @once(
; CHECK: attributes [[ALWAYS]] = { alwaysinline }
; CHECK: attributes [[APART]] = { noinline }
define void @kernel(ptr %a) {
  %x = load i32, ptr %a
  %1 = call i32 @once(i32 %x)
  %2 = call i32 @address(i32 %1)
  %3 = call i32 @twice(i32 %2)
  %4 = call i32 @twice(i32 %3)
  %5 = call i32 @apart(i32 %4)
  %6 = call i32 @another(i32 %5)
  %7 = call i32 @__library(i32 %6)
  %8 = call i32 (i32, ...) @lists(i32 %7)
  store i32 %8, ptr %a
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1}
