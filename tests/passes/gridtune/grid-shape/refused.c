// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests that keep one kernel, and why.
//
// RUN: %device %s | %tuned -pass-remarks=grid-shape \
// RUN:   -pass-remarks-missed=grid-shape 2>&1 | FileCheck %s
// RUN: %device %s | %tuned -accx-grid-shape-always \
// RUN:   -pass-remarks=grid-shape 2>&1 | FileCheck --check-prefix=CHECK-ALWAYS %s

// CHECK: refused.c:[[@LINE+3]]:1: a nest has a grid of one dimension: that suits what it accesses
// CHECK-ALWAYS: refused.c:[[@LINE+2]]:1: a nest has a kernel for grids of several dimensions
void little(int n, const float *a, float *c) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[ : n]) \
    map(tofrom : c[ : n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i * n + j] = a[i] * a[j];
}
// CHECK: refused.c:[[@LINE+3]]:1: a nest has a grid of one dimension: what it computes is used behind it
void reduced(int n, const float *a, float *c) {
  float s = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : s)  \
    map(to : a[ : n]) map(tofrom : c[ : n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        s += a[i] * a[j + k];
  c[0] = s;
}
// CHECK: refused.c:[[@LINE+2]]:1: a nest has a grid of one dimension: its indices are not those of two or three nested loops
void four(int n, const float *a, float *c) {
#pragma omp target teams distribute parallel for collapse(4) map(to : a[ : n]) \
    map(tofrom : c[ : n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
          for (int t = 0; t < n; t++)
            c[i + j + k + l] += a[t * i] * a[t * j] * a[t * k] * a[t * l];
}
struct extents {
  int rows, columns;
};
// CHECK: refused.c:[[@LINE+2]]:1: a nest has a grid of one dimension: a launch cannot compute its extents from the arguments
void loaded(const struct extents *e, const float *a, float *c) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : e[ : 1], a[ : 1000]) map(tofrom : c[ : 1000])
  for (int i = 0; i < e->rows; i++)
    for (int j = 0; j < e->columns; j++)
      for (int k = 0; k < 10; k++)
        c[i * 10 + j] += a[i + k] * a[j + k];
}
// Nothing is said of loops that are no nests.
// CHECK-NOT: refused.c:[[@LINE+2]]:1: a nest
void flat(int n, const float *a, float *c) {
#pragma omp target teams distribute parallel for map(to : a[ : n])             \
    map(tofrom : c[ : n])
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      c[i] += a[k];
}
