// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In clang's pipeline from -O2, unless turned off.
//
// RUN: %plainclang -fplugin=%accx_plugin -fpass-plugin=%accx_plugin --target=x86_64-linux-gnu -march=skylake-avx512 -mprefer-vector-width=512 -ffast-math -fveclib=libmvec -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %plainclang -fplugin=%accx_plugin -fpass-plugin=%accx_plugin --target=x86_64-linux-gnu -march=skylake-avx512 -mprefer-vector-width=512 -ffast-math -fveclib=libmvec -O2 -Xclang -mllvm -Xclang -accx-simd-calls=false -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %plainclang -fplugin=%accx_plugin -fpass-plugin=%accx_plugin --target=x86_64-linux-gnu -march=skylake-avx512 -mprefer-vector-width=512 -ffast-math -fveclib=libmvec -O1 -fvectorize -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF

float logf(float);
float expf(float);

// CHECK: call {{.*}} @_ZGVeN16v_logf
// CHECK: %[[PRODUCT:.*]] = fmul
// CHECK: load
// CHECK: call {{.*}} @_ZGVeN16v_expf
// CHECK-NEXT: call {{.*}} @_ZGVeN16v_expf(<16 x float> %[[PRODUCT]])
// OFF: call {{.*}} @_ZGV{{.*}}v_logf
// OFF-NEXT: fmul
// OFF-NEXT: call {{.*}} @_ZGV{{.*}}v_expf
void f(float *restrict a, const float *restrict x, const float *restrict y,
       long n) {
  for (long i = 0; i < n; ++i)
    a[i] = expf(2 * logf(x[i])) - expf(y[i]);
}
