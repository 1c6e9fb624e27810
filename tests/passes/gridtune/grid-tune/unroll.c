// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small sequential loop inside is unrolled, unless the program says
// otherwise.
//
// RUN: %device %s | %tuned -pass-remarks=loop-unroll 2>&1 | FileCheck %s

void rows(int n, int m, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n * m])         \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++) {
    float s = 0;
    // CHECK: unroll.c:[[@LINE+1]]:5: unrolled loop by a factor of 4
    for (int j = 0; j < m; j++)
      s += x[i * m + j];
    y[i] = s;
  }
}
// CHECK-NOT: unrolled loop
void told(int n, int m, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n * m])         \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++) {
    float s = 0;
#pragma clang loop unroll(disable)
    for (int j = 0; j < m; j++)
      s += x[i * m + j];
    y[i] = s;
  }
}
