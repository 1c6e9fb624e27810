// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small blocks beside each other, whole and away from edges, run together, row
// by row, each with a copy of its own. Those at edges run one by one, and so do
// all where something that a block's work-items have alike outlives a stop.
//
// RUN: %device %s | %loops 2>&1 | FileCheck %s
// RUN: %device -DALIKE %s | %loops 2>&1 | FileCheck %s --check-prefix=CHECK-ALIKE
// RUN: %host -O1 -DMAIN %s -o %t && env OMP_NUM_THREADS=2 %t
// RUN: %host -O3 -march=native -DMAIN %s -o %t && env OMP_NUM_THREADS=1 %t

// CHECK: wi.copies = alloca [8192 x i8]
// CHECK: wi.many:
// CHECK-ALIKE-NOT: wi.many
void f(int n, int m, int steps, int *restrict b1, int *restrict a1) {
  int(*restrict a)[m] = (int(*)[m])a1;
  int(*restrict b)[m] = (int(*)[m])b1;
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(a[ : n], b[ : n])
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < m; ++x) {
      int s = y % 8 == 7 || y == n - 1 ? y : y + 1;
      int w = x % 8 == 0 ? x : x - 1;
#pragma accx smc FETCH_CHANNEL(a[y : 0 : 0][x : 0 : 0]) block(8, 8)
      {
#ifdef ALIKE
        for (int k = 0; k < steps; ++k)
#else
        for (int k = 0; k < 2; ++k)
#endif
          a[y][x] = a[s][x] + 2 * a[y][w] + k;
        b[y][x] = a[y][x];
      }
    }
}

#ifdef MAIN
#include <stdlib.h>

static int at(int n, const int *a, int m, int y, int x, int k) {
  if (k < 0)
    return a[y * m + x];
  return at(n, a, m, y % 8 == 7 || y == n - 1 ? y : y + 1, x, k - 1) +
         2 * at(n, a, m, y, x % 8 == 0 ? x : x - 1, k - 1) + k;
}

int main(void) {
  const int sizes[][2] = {{1, 1},   {8, 64},   {9, 65},   {7, 300},
                          {64, 31}, {17, 520}, {40, 256}, {3, 1000}};
  int bad = 0;
  for (int i = 0; i < 8; ++i) {
    const int n = sizes[i][0], m = sizes[i][1];
    int *a = malloc(4 * n * m), *b = malloc(4 * n * m);
    for (int j = 0; j < n * m; ++j)
      a[j] = j * j % 97;
    f(n, m, 2, b, a);
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < m; ++x)
        bad |= b[y * m + x] != at(n, a, m, y, x, 1);
    free(a), free(b);
  }
  return bad;
}
#endif
