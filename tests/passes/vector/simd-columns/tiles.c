// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum in tiles, of which the last is shorter: all lanes take the same way,
// and what a tile accesses at known distances is one range.
//
// RUN: %plainclang -O3 -mavx512f -mavx512bw -mavx512vl -mavx512dq -fpass-plugin=%accx_plugin -Rpass=simd-function -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.ll
// REMARK: remark: vectorized outer loop with 64 lanes
// CHECK-LABEL: define {{.*}}@product(
// CHECK-NOT: gather
// CHECK: load <64 x float>
void product(float *c, const float *a, const float (*b)[1024], long n) {
  for (long j = 0; j < n; j++) {
    float sum = 0;
    for (long l = 0; l < n; l += 16)
      if (l + 16 <= n)
        for (long k = 0; k < 16; k++)
          sum += a[l + k] * b[l + k][j];
      else
        for (long k = l; k < n; k++)
          sum += a[k] * b[k][j];
    c[j] = sum;
  }
}
