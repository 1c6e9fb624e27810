// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short bodies whose neighbouring rows load the same: threads of the second
// kernel have four rows each, whatever the extents are.
//
// RUN: %device %s | %tuned -pass-remarks=grid-shape \
// RUN:   -pass-remarks-missed=grid-shape 2>&1 | FileCheck %s
// RUN: %simt %s %t
// RUN: env SIMT_TRACE=1 %t > %t.out 2>&1
// RUN: FileCheck --check-prefix=RAN %s < %t.out
// RAN-DAG: plane{{.*}} all at once
// RAN-DAG: space{{.*}} all at once
// RAN-DAG: numbered{{.*}} all at once
// RAN-DAG: part_l{{.*}} all at once
// RAN: right
#include "Inputs/cells.h"

// CHECK: rows.c:[[@LINE+2]]:1: a nest has a kernel for grids of several dimensions, with blocks of 4 rows of 64 threads, each with 4 rows
static void plane(int n, int m) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : A[ : n * m]) map(tofrom : B[ : n * m])
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      B[i * m + j] = A[(i - 1) * m + j] + A[i * m + j - 1] + A[i * m + j + 1] +
                     A[(i + 1) * m + j];
}
// CHECK: rows.c:[[@LINE+2]]:1: a nest has a kernel for grids of several dimensions, with blocks of 4 rows of 64 threads, each with 4 rows
static void space(int k, int n, int m) {
#pragma omp target teams distribute parallel for collapse(3)                   \
    map(to : A[ : k * n * m]) map(tofrom : B[ : k * n * m])
  for (int h = 0; h < k; h++)
    for (int i = 1; i < n; i++)
      for (int j = 0; j < m; j++)
        B[(h * n + i) * m + j] =
            A[(h * n + i) * m + j] - A[(h * n + i - 1) * m + j];
}
// The number of the iteration itself is used.
// CHECK: rows.c:[[@LINE+2]]:1: a nest has a kernel for grids of several dimensions, with blocks of 4 rows of 64 threads, each with 4 rows
static void numbered(int n, int m) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : A[ : (n + 1) * m]) map(tofrom : B[ : n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      B[i * m + j] = A[i * m + j] * A[(i + 1) * m + j] + (i * m + j);
}
// A part of a loop that devices share, as the front end writes it: its bounds
// are arguments, and the trip count is the part's.
// CHECK: rows.c:[[@LINE+3]]:1: a nest has a kernel for grids of several dimensions, with blocks of 4 rows of 64 threads, each with 4 rows
static void part(int n, int m, long first, long last) {
  const long rows = n - 2;
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : A[ : n * m]) map(tofrom : B[ : n * m])                            \
    firstprivate(first, last, rows)
  for (int i = 1 + (int)first; i < (last < rows ? 1 + (int)last : n - 1); i++)
    for (int j = 1; j < m - 1; j++)
      B[i * m + j] = A[(i - 1) * m + j] - A[(i + 1) * m + j];
}
// Arrays one behind the other are no rows.
// CHECK: rows.c:[[@LINE+2]]:1: a nest has a grid of one dimension: that suits what it accesses
static void parts(int n, int m) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : A[ : 2 * n * m]) map(tofrom : B[ : n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      B[i * m + j] = A[i * m + j] + A[n * m + i * m + j];
}

int main(void) {
  static const int N[] = {66, 131, 130, 250}, M[] = {1026, 1000, 962, 770};
  begin();
  for (int s = 0; s < 4; s++) {
    const int n = N[s], m = M[s];
    plane(n, m);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        Want[i * m + j] = A[(i - 1) * m + j] + A[i * m + j - 1] +
                          A[i * m + j + 1] + A[(i + 1) * m + j];
    check("plane", n, m);
    numbered(n, m);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        Want[i * m + j] = A[i * m + j] * A[(i + 1) * m + j] + (i * m + j);
    check("numbered", n, m);
    const long middle = n / 2 - 1 + s % 2;
    part(n, m, 0, middle);
    part(n, m, middle, n - 2);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        Want[i * m + j] = A[(i - 1) * m + j] - A[(i + 1) * m + j];
    check("part", n, m);
    parts(n, m);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        Want[i * m + j] = A[i * m + j] + A[n * m + i * m + j];
    check("parts", n, m);
    const int k = 5, rows = n / 3 + 10, columns = m / 4 + 64;
    space(k, rows, columns);
    for (int h = 0; h < k; h++)
      for (int i = 1; i < rows; i++)
        for (int j = 0; j < columns; j++)
          Want[(h * rows + i) * columns + j] =
              A[(h * rows + i) * columns + j] -
              A[(h * rows + i - 1) * columns + j];
    check("space", rows, columns);
  }
  return verdict();
}
