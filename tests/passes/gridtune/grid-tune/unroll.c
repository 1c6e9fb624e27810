// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small sequential loop that computes with what it loads is unrolled, unless
// the program says otherwise; a constant number of iterations is no hindrance
// where LLVM leaves it at that. Sums of products are left to LLVM. Loops that
// may be short are unrolled less often: those whose length a thread looks up,
// and those over a small array of its own.
//
// RUN: %device %s | %tuned -pass-remarks=loop-unroll 2>&1 | FileCheck %s

int omp_get_thread_num(void);

void bodies(int n, int m, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[ : m])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++) {
    float s = y[i], f = 0;
    // CHECK: unroll.c:[[@LINE+1]]:5: unrolled loop by a factor of 16
    for (int j = 0; j < m; j++) {
      float d = x[j] - s, q = d * d + 1e-3f;
      f += d / (q * q);
    }
    y[i] = f;
  }
}
// CHECK-NOT: unrolled loop by a factor of {{4|8|16}}
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
      // CHECK: unroll.c:[[@LINE+1]]:7: unrolled loop by a factor of 16
      for (int j = 0; j < 100; j++) {
        float d = tile[j] - s, q = d * d + 1e-3f;
        f += d / (q * q);
      }
      y[me] = f;
    }
  }
}
void lists(int n, const int *length, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(                          \
        to : length[ : n], x[ : 64 * n]) map(tofrom : y[ : n])
  for (int i = 0; i < n; i++) {
    float s = y[i], f = 0;
    // CHECK: unroll.c:[[@LINE+1]]:5: unrolled loop by a factor of 4
    for (int j = 0; j < length[i]; j++) {
      float d = x[i * 64 + j] - s, q = d * d + 1e-3f;
      f += d / (q * q);
    }
    y[i] = f;
  }
}
void own(int n, int m, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++) {
    float s = y[i], f = 0, kept[20];
#pragma clang loop unroll(disable)
    for (int j = 0; j < m; j++)
      kept[(i + j) % 20] = x[i] * j;
    // CHECK: unroll.c:[[@LINE+1]]:5: unrolled loop by a factor of 4
    for (int j = 0; j < m; j++) {
      float d = kept[j] - s, q = d * d + 1e-3f;
      f += d / (q * q);
    }
    y[i] = f;
  }
}
void large(int n, int m, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[ : 3 * m])         \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++) {
    float s = y[i], f = 0;
    // CHECK: unroll.c:[[@LINE+1]]:5: unrolled loop by a factor of 8
    for (int j = 0; j < m; j++) {
      float a = x[3 * j] - s, b = x[3 * j + 1] - s, c = x[3 * j + 2] - s;
      float q = a * a + b * b + c * c + 1e-3f;
      f += (a + b * c) / (q * q * q) + (c - a * b) / q;
    }
    y[i] = f;
  }
}
