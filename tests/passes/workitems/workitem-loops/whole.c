// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours that a condition at the array's edges chooses are computed again
// in each loop over work-items: what stops find alive is one value, and nothing
// of indices, addresses or ranges. Whole blocks have loops of constant length,
// beside those for blocks at the edges.
//
// RUN: %device %s | %loops 2>&1 | FileCheck %s
// RUN: %host -O1 -DRUN %s -o %t && %t
// RUN: %host -O3 -march=native -DRUN %s -o %t && %t

// CHECK: define {{.*}}.omp_outlined.omp_outlined(
// CHECK-NOT: alloca [32 x i64]
// CHECK: %wi.held{{.*}} = alloca [32 x i8]
// CHECK-NEXT: %wi.held{{.*}} = alloca [32 x float]
// CHECK-NOT: alloca [32 x
// CHECK: wi.whole:
// CHECK: icmp slt i64 %{{.*}}, 8{{$}}
void f(int n, int m, int steps, float (*restrict t)[m], float *r) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(t[ : n], r[ : n * m])
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < m; ++x) {
      int s = y == n - 1 ? y : y + 1, e = x == m - 1 ? x : x + 1;
      int w = x == 0 ? x : x - 1;
#pragma accx smc FETCH_CHANNEL(t[y : 1 : 1][x : 1 : 1]) block(4, 8)
      {
        for (int k = 0; k < steps; ++k)
          if ((x + y + k) % 3)
            t[y][x] = t[s][x] + 2 * t[y][e] - t[y][w];
        r[y * m + x] = t[y][x];
      }
    }
}

#ifdef RUN
#include <stdlib.h>
#include <string.h>

/// What a block makes of its copy, step by step; copies have one more around.
static void want(int n, int m, int steps, int y0, int x0, float (*t)[m],
                 float *r) {
  float c[6][10] = {0}, old[6][10];
  for (int y = y0 - 1; y < y0 + 5; ++y)
    for (int x = x0 - 1; x < x0 + 9; ++x)
      if (y >= 0 && x >= 0 && y < n && x < m)
        c[y - y0 + 1][x - x0 + 1] = t[y][x];
  for (int k = 0; k < steps; ++k) {
    memcpy(old, c, sizeof c);
    for (int y = y0; y < y0 + 4 && y < n; ++y)
      for (int x = x0; x < x0 + 8 && x < m; ++x) {
        int i = y - y0 + 1, j = x - x0 + 1;
        if ((x + y + k) % 3)
          c[i][j] = old[y == n - 1 ? i : i + 1][j] +
                    2 * old[i][x == m - 1 ? j : j + 1] -
                    old[i][x == 0 ? j : j - 1];
      }
  }
  for (int y = y0; y < y0 + 4 && y < n; ++y)
    for (int x = x0; x < x0 + 8 && x < m; ++x)
      r[y * m + x] = c[y - y0 + 1][x - x0 + 1];
}

int main(void) {
  int sizes[][2] = {{1, 1}, {4, 8}, {5, 9}, {3, 7}, {12, 40}, {33, 65}};
  for (int s = 0; s < 6; ++s) {
    int n = sizes[s][0], m = sizes[s][1];
    float(*t)[m] = malloc(4ul * n * m);
    float *r = malloc(4ul * n * m), *x = malloc(4ul * n * m);
    for (int i = 0; i < n * m; ++i)
      (&t[0][0])[i] = (i * 7919) % 13 - 4;
    for (int y = 0; y < n; y += 4)
      for (int j = 0; j < m; j += 8)
        want(n, m, 3, y, j, t, x);
    f(n, m, 3, t, r);
    if (memcmp(r, x, 4ul * n * m))
      return 1;
    free(t), free(r), free(x);
  }
  return 0;
}
#endif
