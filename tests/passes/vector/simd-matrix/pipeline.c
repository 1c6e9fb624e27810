// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In clang's pipeline from -O2 on, unless turned off, before loops are
// unrolled. What is between two products is in registers.
//
// RUN: %plainclang -fplugin=%accx_plugin -fpass-plugin=%accx_plugin --target=x86_64-linux-gnu -march=skylake-avx512 -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK-ON
// RUN: %plainclang -fplugin=%accx_plugin -fpass-plugin=%accx_plugin --target=x86_64-linux-gnu -march=skylake-avx512 -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK-ON
// RUN: %plainclang -fplugin=%accx_plugin -fpass-plugin=%accx_plugin --target=x86_64-linux-gnu -march=skylake-avx512 -O3 -Rpass=simd-matrix -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK-REMARK
// RUN: %plainclang -fplugin=%accx_plugin -fpass-plugin=%accx_plugin -mllvm -accx-simd-matrix=false --target=x86_64-linux-gnu -march=skylake-avx512 -O3 -Rpass=simd-matrix -c %s -o /dev/null 2>&1 | FileCheck %s --allow-empty --check-prefix=CHECK-OFF
// RUN: %plainclang -fplugin=%accx_plugin -fpass-plugin=%accx_plugin --target=x86_64-linux-gnu -march=skylake-avx512 -O1 -Rpass=simd-matrix -c %s -o /dev/null 2>&1 | FileCheck %s --allow-empty --check-prefix=CHECK-OFF
// RUN: %plainclang -fplugin=%accx_plugin -fpass-plugin=%accx_plugin --target=x86_64-linux-gnu -march=skylake-avx512 -Os -Rpass=simd-matrix -c %s -o /dev/null 2>&1 | FileCheck %s --allow-empty --check-prefix=CHECK-OFF
//
// CHECK-OFF-NOT: small matrices

typedef double Matrix[4][4];

static void multiply(double (*restrict C)[4], const double (*restrict A)[4],
                     const double (*restrict B)[4]) {
  // CHECK-REMARK: [[#@LINE+1]]:3: remark: small matrices in registers: 1 product, 0 transposes
  for (int I = 0; I < 4; ++I)
    for (int J = 0; J < 4; ++J) {
      double Sum = 0;
      for (int K = 0; K < 4; ++K)
        Sum += A[I][K] * B[K][J];
      C[I][J] = Sum;
    }
}

// CHECK-ON-LABEL: define dso_local void @twice(
// CHECK-ON-NOT: alloca
// CHECK-ON-NOT: phi
// CHECK-ON: fmuladd.v4f64
// CHECK-ON: ret void
void twice(Matrix C, Matrix A, Matrix B) {
  Matrix Between, Last;
  multiply(Between, A, B);
  multiply(Last, Between, A);
  for (int I = 0; I < 4; ++I)
    for (int J = 0; J < 4; ++J)
      C[I][J] = Last[J][I];
}
