// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane adds up in the program's order: no flag lets sums be reordered, and
// the product is a vector all the same, without gathers.
//
// RUN: %plainclang -O3 -mavx512f -mavx512bw -mavx512vl -mavx512dq -fpass-plugin=%accx_plugin -Rpass=simd-function -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.ll
// REMARK: remark: vectorized outer loop with 32 lanes
// CHECK-LABEL: define {{.*}}@product(
// CHECK-NOT: gather
// CHECK: load <32 x double>
void product(double *c, const double *a, const double *b, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      double sum = 0;
      for (long k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}
