// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small sequential loop that computes with what it loads is unrolled, unless
// the program says otherwise; a constant number of iterations is no hindrance
// where LLVM leaves it at that. Sums of products are left to LLVM.
//
// RUN: %device %s | %tuned -pass-remarks=loop-unroll 2>&1 | FileCheck %s

int omp_get_thread_num(void);

void bodies(int n, int m, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[ : m])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++) {
    float s = y[i], f = 0;
    // CHECK: unroll.c:[[@LINE+1]]:5: unrolled loop by a factor of 4
    for (int j = 0; j < m; j++) {
      float d = x[j] - s, q = d * d + 1e-3f;
      f += d / (q * q);
    }
    y[i] = f;
  }
}
// CHECK-NOT: unrolled loop by a factor of 4
void rows(int n, int m, const float *x, const float *z, float *y) {
#pragma omp target teams distribute parallel for map(                          \
        to : x[ : n * m], z[ : m]) map(tofrom : y[ : n])
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      s += x[i * m + j] * z[j];
    y[i] = s;
  }
}
void told(int n, int m, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[ : m])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++) {
    float s = y[i], f = 0;
#pragma clang loop unroll(disable)
    for (int j = 0; j < m; j++) {
      float d = x[j] - s, q = d * d + 1e-3f;
      f += d / (q * q);
    }
    y[i] = f;
  }
}
void tiles(int n, const float *x, float *y) {
#pragma omp target teams map(to : x[ : n]) map(tofrom : y[ : n])
  {
    float tile[100];
#pragma omp parallel
    {
      int me = omp_get_thread_num();
      if (me < 100)
        tile[me] = x[me];
#pragma omp barrier
      float f = 0, s = y[me];
      // CHECK: unroll.c:[[@LINE+1]]:7: unrolled loop by a factor of 4
      for (int j = 0; j < 100; j++) {
        float d = tile[j] - s, q = d * d + 1e-3f;
        f += d / (q * q);
      }
      y[me] = f;
    }
  }
}
