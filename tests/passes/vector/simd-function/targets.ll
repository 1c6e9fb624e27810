; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Code for GPUs and other processors is not touched.
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function-keep,simd-function,simd-function-finish,verify" -mtriple=nvptx64-nvidia-cuda -S %s | FileCheck %s
; RUN: opt -load-pass-plugin=%accx_plugin -passes="simd-function-keep,simd-function,simd-function-finish,verify" -mtriple=aarch64-linux-gnu -S %s | FileCheck %s
; CHECK-NOT: @_ZGV
; CHECK: define i32 @f(i32 %x)
; CHECK-NOT: @_ZGV

define i32 @f(i32 %x) #0 {
  ret i32 %x
}

attributes #0 = { nounwind "_ZGVbN4v_f" }
