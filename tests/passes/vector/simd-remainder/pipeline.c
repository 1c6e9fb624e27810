// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In clang's pipeline from -O2, unless turned off, where there are masks.
//
// RUN: %plainclang -fplugin=%accx_plugin -fpass-plugin=%accx_plugin --target=x86_64-linux-gnu -march=skylake-avx512 -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ON
// RUN: %plainclang -fplugin=%accx_plugin -fpass-plugin=%accx_plugin --target=x86_64-linux-gnu -march=skylake-avx512 -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ON
// RUN: %plainclang -fplugin=%accx_plugin -fpass-plugin=%accx_plugin -mllvm -accx-simd-remainder=false --target=x86_64-linux-gnu -march=skylake-avx512 -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %plainclang -fplugin=%accx_plugin -fpass-plugin=%accx_plugin --target=x86_64-linux-gnu -march=skylake-avx512 -O1 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %plainclang -fplugin=%accx_plugin -fpass-plugin=%accx_plugin --target=x86_64-linux-gnu -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF

// ON-LABEL: define dso_local void @any(
// ON: llvm.masked.store
// ON-NOT: store float
// OFF-NOT: llvm.masked
void any(float *restrict To, const float *restrict From, long N) {
  for (long I = 0; I < N; ++I)
    To[I] = From[I] + 1;
}
