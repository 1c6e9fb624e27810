// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests of two loops in whose body a loop loads what all rows load in its
// column: grids of their second kernels come in strips, whatever the extents.
//
// RUN: %device %s | %tuned -pass-remarks=grid-shape \
// RUN:   -pass-remarks-missed=grid-shape 2>&1 | FileCheck %s
// RUN: %simt %s %t
// RUN: env SIMT_TRACE=1 %t > %t.out 2>&1
// RUN: FileCheck --check-prefix=RAN %s < %t.out
// RAN-DAG: product{{.*}} all at once
// RAN-DAG: columns{{.*}} all at once
// RAN: right
#include "Inputs/cells.h"

#define COLUMNS(TO)                                                            \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++) {                                              \
      float s = i;                                                             \
      for (int t = j % k; t < k; t++)                                          \
        s += A[t * m + j];                                                     \
      TO[i * m + j] = s;                                                       \
    }
#define ROWS(TO)                                                               \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++) {                                              \
      float s = 0;                                                             \
      for (int t = 0; t < k; t++)                                              \
        s += A[i * (m + k) + j + t];                                           \
      TO[i * m + j] = s;                                                       \
    }
#define ROW(TO)                                                                \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++) {                                              \
      float s = j;                                                             \
      for (int t = 0; t < k; t++)                                              \
        s += A[i * k + t];                                                     \
      TO[i * m + j] = s;                                                       \
    }
#define PLANES(TO)                                                             \
  for (int h = 0; h < p; h++)                                                  \
    for (int i = 0; i < n; i++)                                                \
      for (int j = 0; j < m; j++) {                                            \
        float s = h + i;                                                       \
        for (int t = 0; t < k; t++)                                            \
          s += A[t * m + j];                                                   \
        TO[(h * n + i) * m + j] = s;                                           \
      }

// CHECK: strips.c:[[@LINE+2]]:1: a nest has a kernel for grids of several dimensions, {{.*}}, each with 1 row, strip by strip
static void product(int n, int m, int k) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : A[ : n * k + k * m]) map(tofrom : B[ : n * m])
  PRODUCT(B)
}
// The loop's length differs from column to column.
// CHECK: strips.c:[[@LINE+2]]:1: a nest has a kernel for grids of several dimensions, {{.*}}, each with 1 row, strip by strip
static void columns(int n, int m, int k) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : A[ : k * m]) map(tofrom : B[ : n * m])
  COLUMNS(B)
}
// Rows load nothing alike.
// CHECK: strips.c:[[@LINE+2]]:1: a nest has a kernel for grids of several dimensions, {{.*}}, each with 1 row{{$}}
static void rows(int n, int m, int k) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : A[ : n * (m + k)]) map(tofrom : B[ : n * m])
  ROWS(B)
}
// Columns load nothing alike.
// CHECK: strips.c:[[@LINE+2]]:1: a nest has a kernel for grids of several dimensions, {{.*}}, each with 1 row{{$}}
static void row(int n, int m, int k) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : A[ : n * k]) map(tofrom : B[ : n * m])
  ROW(B)
}
// The third dimension counts planes.
// CHECK: strips.c:[[@LINE+2]]:1: a nest has a kernel for grids of several dimensions, {{.*}}, each with 1 row{{$}}
static void planes(int p, int n, int m, int k) {
#pragma omp target teams distribute parallel for collapse(3)                   \
    map(to : A[ : k * m]) map(tofrom : B[ : p * n * m])
  PLANES(B)
}

int main(void) {
  // Blocks of 64 columns: 32 without strips, 33 and 34 as five strips of
  // seven, 65 as nine of eight.
  static const int M[] = {2048, 2049, 2176, 4100}, N[] = {9, 8, 5, 11};
  begin();
  for (int x = 0; x < 4; x++) {
    const int n = N[x], m = M[x], k = 7;
    product(n, m, k);
    PRODUCT(Want)
    check("product", n, m);
    columns(n, m, k);
    COLUMNS(Want)
    check("columns", n, m);
    rows(n, m, k);
    ROWS(Want)
    check("rows", n, m);
    row(n, m, k);
    ROW(Want)
    check("row", n, m);
  }
  const int p = 3, n = 5, m = 1090, k = 4;
  planes(p, n, m, k);
  PLANES(Want)
  check("planes", p * n, m);
  return verdict();
}
