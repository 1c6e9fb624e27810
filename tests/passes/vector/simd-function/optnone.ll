; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions that are not optimized: other translation units count on their
; variants, which call them for each lane. Their own calls know of none.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="default<O0>,verify" -S %s | FileCheck %s
; CHECK-LABEL: define i32 @caller(
; CHECK: call i32 @f(i32 %x){{$}}
; CHECK-LABEL: define <4 x i32> @_ZGVbN4v_f(<4 x i32> %{{.*}})
; CHECK: call i32 @f(i32

target triple = "x86_64-unknown-linux-gnu"

define i32 @f(i32 %x) #0 {
  ret i32 %x
}
define i32 @caller(i32 %x) #1 {
  %a = call i32 @f(i32 %x)
  ret i32 %a
}

attributes #0 = { nounwind noinline optnone "_ZGVbN4v_f" }
attributes #1 = { nounwind noinline optnone }
