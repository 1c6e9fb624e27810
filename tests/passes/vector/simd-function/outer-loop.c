// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outer loops marked omp simd whose inner loops end at different times: whole
// vectors, then one masked vector; sums have an accumulator a lane.
//
// RUN: %plainclang -O2 -fopenmp-simd -mavx2 -fpass-plugin=%accx_plugin -Rpass=simd-function -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT-COUNT-2: remark: vectorized outer loop with 16 lanes
// RUN: FileCheck %s < %t.ll
// CHECK-LABEL: define {{.*}}@rows(
// CHECK-NOT: load float,
// CHECK: fcmp {{.*}}<16 x float>
// CHECK: store <16 x i32>
// CHECK: call void @llvm.masked.store.v16i32
//
// RUN: %plainclang -O2 -fopenmp-simd -march=native -fpass-plugin=%accx_plugin %s -o %t
// RUN: %t | FileCheck %s --check-prefix=RESULT
// RESULT: 0 of 1003 differ, sums of 0..70: 0 differ
#include <stdio.h>

__attribute__((noinline)) void rows(int *out, float x, float dx, float y, int n,
                                    int limit) {

#pragma omp simd
  for (int i = 0; i < n; i++) {
    float cr = x + i * dx, zr = 0, zi = 0;
    int k;
    for (k = 0; k < limit; k++) {
      float a = zr * zr, b = zi * zi;
      if (a + b > 4.0f)
        break;
      zi = 2 * zr * zi + y;
      zr = a - b + cr;
    }
    out[i] = k;
  }
}

__attribute__((noinline)) int powers(const int *base, const int *times, int n) {
  int sum = 5;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < n; i++) {
    int power = 1;
    for (int k = 0; k < times[i]; k++)
      power = (power * base[i]) & 1023;
    if (power > 3)
      sum += power;
  }
  return sum;
}

static int one(float cr, float y, int limit) {
  float zr = 0, zi = 0;
  int k;
#pragma clang loop vectorize(disable)
  for (k = 0; k < limit; k++) {
    float a = zr * zr, b = zi * zi;
    if (a + b > 4.0f)
      break;
    zi = 2 * zr * zi + y;
    zr = a - b + cr;
  }
  return k;
}

int main(void) {
  static int out[1003];
  int differ = 0, wrong = 0, base[70], times[70];
  rows(out, -2, 3.0f / 1003, 0.3f, 1003, 200);
  for (int i = 0; i < 1003; i++)
    differ += out[i] != one(-2 + i * (3.0f / 1003), 0.3f, 200);
  for (int i = 0; i < 70; i++) {
    base[i] = i % 9;
    times[i] = (i * 7) % 12;
  }
  for (int n = 0; n <= 70; n++) {
    int sum = 5;
    for (volatile int i = 0; i < n; i++) {
      int power = 1;
      for (int k = 0; k < times[i]; k++)
        power = (power * base[i]) & 1023;
      if (power > 3)
        sum += power;
    }
    wrong += powers(base, times, n) != sum;
  }
  printf("%d of 1003 differ, sums of 0..70: %d differ\n", differ, wrong);
}
