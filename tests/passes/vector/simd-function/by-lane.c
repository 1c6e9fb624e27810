// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variant that calls its function for each lane is not vectorized into a call
// of itself.
//
// RUN: %accxcc -O3 -ffast-math -fopenmp-simd -mavx512f -S -emit-llvm %s -o - | FileCheck %s
// CHECK-LABEL: define {{.*}}@each(
// CHECK: call {{.*}}@_ZGVeN8v_outside(
// CHECK-LABEL: define weak {{.*}}@_ZGVeN8v_outside(
// CHECK-NOT: call {{.*}}@_ZGV
//
// Nor are the C library's variants defined here, of which LLVM knows no such
// function: the linker would not look for them any more.
// RUN: %accxcc -O3 -ffast-math -fopenmp -mavx512f %s -DLIBRARY -S -emit-llvm -o - | FileCheck %s --check-prefix=CHECK-LIBRARY
// CHECK-LIBRARY: declare {{.*}}@_ZGVeN8v_erfc(
// CHECK-LIBRARY-NOT: define weak
#ifdef LIBRARY
#include <math.h>
#define outside erfc
#else
#pragma omp declare simd notinbranch
double outside(double x);
#endif

void each(double *restrict out, const double *restrict in, int n) {
  for (int i = 0; i < n; i++)
    out[i] = 0.5 * outside(-in[i]);
}
