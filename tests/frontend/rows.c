// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-arrays through pointers to pointers: the rows and their table are on the
// device, wherever the rows lie, and come back when the data goes.
//
// RUN: %accxcc --accx-targets=host -O2 -Wall -Werror %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused %t | FileCheck %s
// RUN: %accxcxx --accx-targets=host -O2 -Wall -Werror -x c++ %s -o %t.cxx
// RUN: %run %t.cxx | FileCheck %s

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

static int wrong;
#define EXPECT(c)                                                              \
  do {                                                                         \
    if (!(c) && ++wrong < 10)                                                  \
      printf("line %d: %s\n", __LINE__, #c);                                   \
  } while (0)

enum { N = 37, M = 101 };

static float **table(int n, int m) {
  float **a = (float **)malloc(n * sizeof(*a));
  for (int i = 0; i < n; ++i) {
    a[i] = (float *)malloc((m + i) * sizeof(**a));
    for (int j = 0; j < m; ++j)
      a[i][j] = (float)(i * m + j);
  }
  return a;
}

static void release(float **a, int n) {
  for (int i = 0; i < n; ++i)
    free(a[i]);
  free(a);
}

// Plain memory is where the host is: what the device wrote must not be.
static int hostUnchanged(float **a) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j)
      if (a[i][j] != (float)(i * M + j))
        return 0;
  return 1;
}

static void structured(int n, int m) {
  float **a = table(N, M), **b = table(N, M), **c = table(N, M);
  float *first = a[0];
#pragma acc data copyin(a[0 : n][0 : m]) copy(b[0 : n][0 : m])                 \
    create(c[0 : n][0 : m])
  {
    EXPECT(acc_is_present(a[n - 1], m * sizeof(float)));
    EXPECT(acc_is_present(c[0], m * sizeof(float)));
#pragma acc parallel loop collapse(2) present(a[0 : n][0 : m])
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) {
        c[i][j] = a[i][j] * 2;
        a[i][j] = -1;
      }
#pragma acc parallel loop gang
    for (int i = 0; i < n; ++i) {
#pragma acc loop vector
      for (int j = 0; j < m; ++j)
        b[i][j] += c[i][j];
    }
    EXPECT(hostUnchanged(a) && hostUnchanged(b) && hostUnchanged(c));
#pragma acc update self(b[2 : 3][5 : 7])
    EXPECT(b[2][5] == 3 * (2 * M + 5) && b[4][11] == 3 * (4 * M + 11));
    EXPECT(b[2][4] == 2 * M + 4 && b[5][5] == 5 * M + 5);
    b[0][0] = 1000;
#pragma acc update device(b[0 : 1][0 : 1])
  }
  EXPECT(!acc_is_present(a, sizeof(*a)) && !acc_is_present(b[1], 4));
  EXPECT(a[0] == first && hostUnchanged(a) && hostUnchanged(c));
  EXPECT(b[0][0] == 1000);
  for (int i = 0; i < N; ++i)
    for (int j = i == 0; j < M; ++j)
      EXPECT(b[i][j] == (i * M + j) * (i < n && j < m ? 3 : 1));
  release(a, N);
  release(b, N);
  release(c, N);
}

// The clause on the construct itself, parts of rows, on a queue, under if.
static void onConstructs(int first, int rows, int from, int count, int use) {
  float **a = table(N, M);
#pragma acc parallel loop copy(a[first : rows][from : count]) async(1) if (use)
  for (int i = first; i < first + rows; ++i)
    for (int j = from; j < from + count; ++j)
      a[i][j] = -a[i][j];
#pragma acc wait
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) {
      int in = i >= first && i < first + rows && j >= from && j < from + count;
      EXPECT(a[i][j] == (in ? -(i * M + j) : i * M + j));
    }
#pragma acc kernels copy(a[0 : N][0 : M])
  {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < M; ++j)
        a[i][j] = 1;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < M; ++j)
        a[i][j] += i;
  }
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j)
      EXPECT(a[i][j] == 1 + i);
  release(a, N);
}

struct grid {
  double **cells;
  int n;
};

// Unstructured, counted, through a member; some rows are not there.
static void unstructured(void) {
  struct grid g = {(double **)malloc(N * sizeof(double *)), N};
  for (int i = 0; i < N; ++i) {
    g.cells[i] = i % 5 == 3 ? NULL : (double *)malloc(M * sizeof(double));
    for (int j = 0; g.cells[i] && j < M; ++j)
      g.cells[i][j] = j;
  }
  double **c = g.cells;
#pragma acc enter data copyin(c[0 : N][0 : M])
#pragma acc enter data copyin(c[0 : N][0 : M])
#pragma acc parallel loop present(c[0 : N][0 : M])
  for (int i = 0; i < N; ++i)
    if (c[i])
      for (int j = 0; j < M; ++j)
        c[i][j] += i;
#pragma acc exit data copyout(c[0 : N][0 : M])
  EXPECT(acc_is_present(c[0], 8) && c[1][1] == 1);
#pragma acc exit data copyout(c[0 : N][0 : M]) finalize
  EXPECT(!acc_is_present(c[0], 8) && !acc_is_present(c, 8));
  for (int i = 0; i < N; ++i)
    for (int j = 0; c[i] && j < M; ++j)
      EXPECT(c[i][j] == i + j);
  for (int i = 0; i < N; ++i)
    free(c[i]);
  free(c);
}

// Rows that are arrays of arrays; arrays of pointers; no rows at all.
static void shapes(int n) {
  typedef int pair[2];
  pair *rows[4];
  for (int i = 0; i < 4; ++i) {
    rows[i] = (pair *)malloc(n * sizeof(pair));
    for (int j = 0; j < n; ++j)
      rows[i][j][0] = rows[i][j][1] = i + j;
  }
#pragma acc data copy(rows[1 : 3][0 : n][0 : 2])
  {
#pragma acc parallel loop
    for (int i = 1; i < 4; ++i)
      for (int j = 0; j < n; ++j)
        rows[i][j][1] = -rows[i][j][1];
    EXPECT(rows[1][0][1] == 1);
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < n; ++j)
      EXPECT(rows[i][j][0] == i + j && rows[i][j][1] == (i ? -(i + j) : i + j));
  int zero = 0;
#pragma acc data copy(rows[0 : zero][0 : n][0 : 2])
  {
  }
#pragma acc data copy(rows[0 : 4][0 : zero][0 : 2])
  {
    EXPECT(acc_is_present(rows, sizeof(rows)));
  }
  for (int i = 0; i < 4; ++i)
    free(rows[i]);
}

int main(void) {
  for (int d = 0; d < acc_get_num_devices(acc_get_device_type()); d += 3) {
    acc_set_device_num(d, acc_get_device_type());
    structured(N, M);
    structured(N - 5, M / 2);
    onConstructs(3, 20, 10, 50, 1);
    onConstructs(0, N, 0, M, 0);
    unstructured();
    shapes(11);
  }
  // CHECK: {{^}}0 wrong
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
