; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions that are not to be optimized, or to be small, processors without
; masked accesses, and GPUs.
;
; RUN: sed 's/#0 {/#0 optnone noinline {/' %S/product.ll > %t.none.ll
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-columns -S %t.none.ll | FileCheck %s
; RUN: sed 's/#0 {/#0 optsize {/' %S/product.ll > %t.size.ll
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-columns -S %t.size.ll | FileCheck %s
; RUN: sed 's/+avx512.*+avx2,//' %S/product.ll > %t.avx.ll
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-columns -S %t.avx.ll | FileCheck %s
; RUN: sed 's/x86_64-unknown-linux-gnu/nvptx64-nvidia-cuda/' %S/product.ll > %t.gpu.ll
; RUN: opt -load-pass-plugin=%accx_plugin -passes=simd-columns -S %t.gpu.ll | FileCheck %s
; CHECK: define void @product(
; CHECK-NOT: lanes
