// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that leaves its loop early, called from a vectorized loop: the
// loop calls the vector variant, and counts what the scalar function counts.
//
// RUN: %accxcc -O2 -fopenmp-simd -mavx2 -S -emit-llvm %s -o - | FileCheck %s
// CHECK-LABEL: define {{.*}}@row(
// CHECK: call <8 x i32> @_ZGVdN8vvu_escape(
// CHECK-DAG: define {{.*}}<4 x i32> @_ZGVbN4vvu_escape(
// CHECK-DAG: define {{.*}}void @_ZGVcN8vvu_escape(ptr
// CHECK-DAG: define {{.*}}<8 x i32> @_ZGVdN8vvu_escape(
// CHECK-DAG: define {{.*}}<16 x i32> @_ZGVeN16vvu_escape(
//
// Without the passes there is nothing of that.
// RUN: %accxcc -O2 -fopenmp-simd -mavx2 -mllvm -accx-simd-function=false -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: @_ZGV
//
// RUN: %plainclang -O2 -fopenmp-simd -fpass-plugin=%accx_plugin %s -o %t
// RUN: %t | FileCheck %s --check-prefix=RESULT
// RESULT: 0 of 1003 differ
#include <stdio.h>

#pragma omp declare simd uniform(limit) notinbranch
__attribute__((noinline)) int escape(float cr, float ci, int limit) {
  float zr = 0, zi = 0;
  int i;
  for (i = 0; i < limit; i++) {
    float a = zr * zr, b = zi * zi;
    if (a + b > 4.0f)
      break;
    zi = 2 * zr * zi + ci;
    zr = a - b + cr;
  }
  return i;
}

__attribute__((noinline)) void row(int *out, float x, float dx, float y, int n,
                                   int limit) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = escape(x + i * dx, y, limit);
}

int main(void) {
  static int out[1003];
  int differ = 0;
  row(out, -2, 3.0f / 1003, 0.3f, 1003, 200);
  for (int i = 0; i < 1003; i++)
    differ += out[i] != escape(-2 + i * (3.0f / 1003), 0.3f, 200);
  printf("%d of 1003 differ\n", differ);
}
