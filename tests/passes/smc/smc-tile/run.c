// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same numbers as sequential loops give, at sizes around those of blocks.
//
// RUN: %host -O2 %s -o %t && %t | FileCheck %s
// RUN: %host -O0 %s -o %t && env OMP_TARGET_OFFLOAD=DISABLED %t | FileCheck %s
// CHECK: RESULT ok
// clang-format off
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define W 67
static float A[300][W], Bm[300][W], C0[300][W], C1[300][W];
static float x[300][103], y[103][53], z[300][53], w[300][53];
int main(int argc, char **argv) {
  int bad = 0;
  int sizes[] = {0, 1, 2, 15, 16, 17, 31, 100, 255, 256, 257, 300};
  for (int s = 0; s < 12; ++s) {
    int n = sizes[s];
    float *a = malloc((n + 1) * 4), *b = malloc((n + 1) * 4), *r = malloc((n + 1) * 4);
    for (int i = 0; i < n; ++i) a[i] = i * 7 % 13, b[i] = r[i] = -1;
    for (int i = 1; i < n - 1; ++i) r[i] = a[i - 1] + a[i] + a[i + 1];
#pragma acc parallel loop copyin(a[0:n]) copy(b[0:n])
    for (int i = 1; i < n - 1; ++i) {
#pragma acc cache(a[i-1:3])
      b[i] = a[i - 1] + a[i] + a[i + 1];
    }
    if (memcmp(b, r, n * 4)) bad++, printf("cache1d %d BAD\n", n);
    for (int i = 0; i < n; ++i) b[i] = -1;
#pragma omp target teams distribute parallel for map(to : a[:n]) map(tofrom : b[:n])
    for (int i = 1; i < n - 1; ++i)
#pragma accx smc FETCH_ONLY(a[i : 1 : 1]) block(128)
      b[i] = a[i - 1] + a[i] + a[i + 1];
    if (memcmp(b, r, n * 4)) bad++, printf("smc1d %d BAD\n", n);
    for (int i = 0; i < 300; ++i)
      for (int j = 0; j < W; ++j) A[i][j] = i * 31 + j * 7 % 11, Bm[i][j] = (i * 5 + j) % 9, C0[i][j] = C1[i][j] = -1;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < W; ++j) {
        float t = A[i][j];
        if (i > 0) t += A[i - 1][j];
        if (i < n - 1) t += 2 * A[i + 1][j];
        if (j > 0) t += 3 * A[i][j - 1];
        if (j < W - 1) t += 4 * A[i][j + 1];
        C0[i][j] = t;
      }
#pragma acc parallel loop collapse(2) copyin(A) copy(C1)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < W; ++j) {
        float t;
#pragma acc fcw FETCH_ONLY(A[i : 1 : 1][j : 1 : 1])
        {
          t = A[i][j];
          if (i > 0) t += A[i - 1][j];
          if (i < n - 1) t += 2 * A[i + 1][j];
          if (j > 0) t += 3 * A[i][j - 1];
          if (j < W - 1) t += 4 * A[i][j + 1];
        }
        C1[i][j] = t;
      }
    if (memcmp(C0, C1, sizeof C0)) bad++, printf("fcw2d %d BAD\n", n);
    /* matmul */
    int m = n % 50 + 3, k = n / 3 + 1;
    for (int i = 0; i < n; ++i) for (int j = 0; j < k; ++j) x[i][j] = (i + 3 * j) % 7;
    for (int i = 0; i < k; ++i) for (int j = 0; j < m; ++j) y[i][j] = (i * 2 + j) % 5;
    for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) { float t = 0; for (int l = 0; l < k; ++l) t += x[i][l] * y[l][j]; w[i][j] = t; z[i][j] = -1; }
#pragma acc parallel loop collapse(2) copyin(x[0:n], y[0:k]) copy(z[0:n])
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) {
        float t = 0;
        for (int l = 0; l < k; l += 16) {
          int p = (i & 15) + l, q = (j & 15) + l;
#pragma acc fcw FETCH_ONLY(x[i:0:0:q:0:0], y[p:0:0:j:0:0])
          for (int o = l; o < (l + 16 < k ? l + 16 : k); ++o)
            t += x[i][o] * y[o][j];
        }
        z[i][j] = t;
      }
    if (memcmp(z, w, sizeof(float) * n * 53)) bad++, printf("mm %d BAD\n", n);
    /* n-body like: uniform range, with tail beyond the end */
    double *pos = malloc((n + 1) * 8), *f = malloc((n + 1) * 8), *g = malloc((n + 1) * 8);
    for (int i = 0; i < n; ++i) pos[i] = i * 3 % 17;
    for (int i = 0; i < n; ++i) { g[i] = 0; f[i] = -1; for (int j = 0; j < n; ++j) g[i] += pos[i] * pos[j]; }
#pragma acc parallel loop copyin(pos[0:n]) copy(f[0:n])
    for (int i = 0; i < n; ++i) {
      double acc = 0, mine = pos[i];
      for (int tile = 0; tile <= (n >> 6) + 1; ++tile) {
        int bound = (tile + 1) * 64 < n ? (tile + 1) * 64 : n;
#pragma acc fcw FETCH_ONLY(pos[tile*64:0:64])
        for (int j = tile * 64; j < bound; ++j) acc += mine * pos[j];
      }
      f[i] = acc;
    }
    if (memcmp(f, g, n * 8)) bad++, printf("nbody %d BAD\n", n);
    double sum = 0, want = 0;
    for (int i = 0; i < n; ++i) want += pos[i] * (i > 0 ? pos[i - 1] : 1);
#pragma acc parallel loop copyin(pos[0:n]) reduction(+:sum)
    for (int i = 0; i < n; ++i) {
#pragma acc cache(pos[i-1:2])
      sum += pos[i] * (i > 0 ? pos[i - 1] : 1);
    }
    if (sum != want) bad++, printf("reduce %d BAD %g %g\n", n, sum, want);
  }
  printf("RESULT %s\n", bad ? "BAD" : "ok");
  return bad;
}
