// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outer loops are as wide as the registers of servers since Ice Lake, and are
// not taken apart because LLVM prefers 256 bits there.
//
// RUN: %plainclang -O2 -fopenmp-simd -march=sapphirerapids -fpass-plugin=%accx_plugin -S %s -o - | FileCheck %s --check-prefix=WIDE
// RUN: %plainclang -O2 -fopenmp-simd -march=cascadelake -fpass-plugin=%accx_plugin -S %s -o - | FileCheck %s --check-prefix=NARROW
// WIDE: vfmadd{{.*}}zmm
// NARROW-NOT: zmm

void powers(float *restrict out, const int *restrict times, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++) {
    float x = out[i], y = 1;
    for (int k = 0; k < times[i]; k++)
      y = __builtin_fmaf(y, x, x);
    out[i] = y;
  }
}
