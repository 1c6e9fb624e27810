// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduction, pathfinder, hotspot and others with channel types: the numbers of
// sequential loops, at sizes around those of blocks, for the code of a GPU.
//
// RUN: %simt %s %t && %t | FileCheck %s
// CHECK: RESULT ok
// clang-format off
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
static int bad;
static void check(const char *what, int n, int ok) { if (!ok) { printf("%s %d BAD\n", what, n); bad++; } }
enum { TILE = 256, LOG = 8 };
static void reduce(int p, int *restrict a, int *b) {
  int tiles = (p + TILE - 1) / TILE;
#pragma acc parallel loop copyin(a[0:p]) copy(b[0:tiles]) vector_length(256)
  for (int i = 0; i < p; i++) {
    int tile = i >> LOG, offset = i & (TILE - 1);
#pragma acc fcw FETCH_CHANNEL(a[i:0:0])
    {
      for (int y = TILE / 2; y > 0; y >>= 1)
        if (offset < y && i + y < p)
          a[i] = a[i] + a[i + y];
      if (i == tile * TILE)
        b[tile] = a[i];
    }
  }
}
static inline int mini(int a, int b) { return a < b ? a : b; }
static void path(int t, int rows, int cols, int inner, int *restrict src, const int *data, int *dst) {
  int pad = ((cols / (TILE - 2 * inner)) + 1) * inner * 2;
#pragma acc parallel loop copyin(src[0:cols], data[0:rows*cols]) copy(dst[0:cols]) vector_length(256)
  for (int np = 0; np < cols + pad; np++) {
    int n = np - ((np >> LOG) * 2 * inner + inner);
    int localid = np & (TILE - 1);
    int val = 0;
    int computed = 0;
#pragma acc fcw FETCH_CHANNEL(src[n:0:0])
    {
      for (int i = 0; i < inner; i++) {
        int row = t + i + 1;
        if (row < rows) {
          computed = 0;
          if (localid > i && localid < TILE - i - 1 && n >= 0 && n < cols) {
            int m = src[n];
            computed = 1;
            if (n > 0) m = mini(m, src[n - 1]);
            if (n < cols - 1) m = mini(m, src[n + 1]);
            val = data[row * cols + n] + m;
            src[n] = val;
          }
        }
      }
    }
    if (computed) dst[n] = val;
  }
}
#define W 83
static float Tm[90][W], P[90][W], R[90][W], X[90][W], Y[90][W];
static inline float upd(float t, float p, float s, float n, float e, float w) {
  return t + 0.1f * (p + (s + n - 2 * t) * 0.25f + (e + w - 2 * t) * 0.5f + (80 - t) * 0.125f);
}
#define HOT(H) \
static void hot##H(int row, int col, float (*restrict temp)[W], float (*restrict power)[W], float (*result)[W]) { \
  int dr = row + 2 * H * (row / (16 - 2 * H) + 1), dc = col + 2 * H * (col / (16 - 2 * H) + 1); \
  _Pragma("acc parallel loop collapse(2) copyin(temp[0:row], power[0:row]) copy(result[0:row])") \
  for (int rs = 0; rs < dr; rs++) \
    for (int cs = 0; cs < dc; cs++) { \
      int r = rs - ((rs >> 4) * 2 * H + H), c = cs - ((cs >> 4) * 2 * H + H); \
      float next = 0; int compute = 0; \
      int S = r == row - 1 ? row - 1 : r + 1, N = r == 0 ? 0 : r - 1; \
      int Wt = c == 0 ? 0 : c - 1, E = c == col - 1 ? col - 1 : c + 1; \
      _Pragma("acc fcw FETCH_CHANNEL(temp[r:0:0:c:0:0], power[r:0:0:c:0:0]) block(16,16)") \
      { for (int it = 0; it < H; it++) { \
          compute = 0; \
          if (r >= 0 && c >= 0 && r < row && c < col && (rs & 15) > it && (cs & 15) > it && (rs & 15) < 16 - it - 1 && (cs & 15) < 16 - it - 1) { \
            compute = 1; \
            next = upd(temp[r][c], power[r][c], temp[S][c], temp[N][c], temp[r][E], temp[r][Wt]); \
          } \
          if (it == H - 1) break; \
          if (compute) temp[r][c] = next; \
        } } \
      if (compute) result[r][c] = next; \
    } }
HOT(1) HOT(2) HOT(3)
// All stages of a Walsh-Hadamard transform within a block.
static void fwht(int n, float *restrict d) {
#pragma acc parallel loop copy(d[0:n])
  for (int i = 0; i < n; ++i) {
    int o = i & 127, base = i - o;
#pragma acc fcw FETCH_CHANNEL_WB(d[i:0:0]) block(128)
    for (int h = 1; h < 128; h *= 2) {
      float x = d[base + (o & ~h)], y = d[base + (o | h)];
      d[i] = o & h ? x - y : x + y;
    }
  }
}
// Scan, in place.
static void scan(int n, long *restrict d) {
#pragma acc parallel loop copy(d[0:n])
  for (int i = 0; i < n; ++i) {
    int o = i % 96;
#pragma acc fcw FETCH_CHANNEL_WB(d[i:0:0]) block(96)
    for (int h = 1; h < 96; h *= 2)
      if (o >= h) d[i] += d[i - h];
  }
}
static void reverse(int n, int *restrict d) {
#pragma acc parallel loop copy(d[0:n])
  for (int i = 0; i < n; ++i) {
    int b = i / 100 * 100, e = b + 100 < n ? b + 100 : n;
#pragma acc fcw FETCH_CHANNEL_WB(d[i:0:0]) block(100)
    d[i] = d[b + e - 1 - i];
  }
}
static void wbonly(int n, int *restrict d, const int *s) {
#pragma acc parallel loop copyin(s[0:n]) copy(d[0:n])
  for (int i = 0; i < n; ++i) {
#pragma acc fcw CHANNEL_WB(d[i:0:0]) block(64)
    {
      if (s[i] & 1) d[i] = s[i];
      else if (s[i] & 2) { if (s[i] & 4) d[i] = -s[i]; }
    }
  }
}
int main(void) {
  int sizes[] = {0, 1, 2, 5, 16, 17, 100, 127, 128, 255, 256, 257, 500, 1000, 3000};
  for (int s = 0; s < 15; ++s) {
    int n = sizes[s], m = n + 1;
    int *a = malloc(m * 4), *b = malloc(m * 4), *w = malloc(m * 4);
    for (int i = 0; i < n; ++i) a[i] = i * 7 % 31 - 3, b[i] = -1;
    if (n) {
      reduce(n, a, b);
      for (int t = 0; t < (n + 255) / 256; ++t) { int sum = 0; for (int i = t * 256; i < n && i < t * 256 + 256; ++i) sum += i * 7 % 31 - 3; check("reduce", n, b[t] == sum); }
      for (int i = 0; i < n; ++i) if (a[i] != i * 7 % 31 - 3) { check("reduce array", n, 0); break; }
    }
    for (int inner = 2; inner <= 12 && n; inner += 10) {
      int rows = 20; int *data = malloc(4 * rows * m), *src = malloc(4 * m), *dst = malloc(4 * m), *x = malloc(4 * m), *y = malloc(4 * m);
      for (int i = 0; i < rows * n; ++i) data[i] = (i * 1103515245u + 12345) >> 16 & 15;
      for (int i = 0; i < n; ++i) src[i] = x[i] = data[i];
      for (int t = 1; t < rows; ++t) { for (int i = 0; i < n; ++i) { int v = x[i]; if (i > 0) v = mini(v, x[i-1]); if (i < n-1) v = mini(v, x[i+1]); y[i] = v + data[t*n+i]; } int *z = x; x = y; y = z; }
      for (int t = 0; t < rows - 1; t += inner) { path(t, rows, n, inner, src, data, dst); int *z = src; src = dst; dst = z; }
      check(inner == 2 ? "path2" : "path12", n, !memcmp(src, x, 4 * n));
      free(data); free(src); free(dst); free(x); free(y);
    }
    float *f = malloc(4 * m), *g = malloc(4 * m);
    int n128 = n / 128 * 128;
    for (int i = 0; i < n128; ++i) f[i] = g[i] = i * 5 % 17 - 8;
    fwht(n128, f);
    for (int b0 = 0; b0 < n128; b0 += 128) for (int h = 1; h < 128; h *= 2) for (int i = 0; i < 128; ++i) if (!(i & h)) { float x = g[b0+i], y = g[b0+i+h]; g[b0+i] = x + y; g[b0+i+h] = x - y; }
    check("fwht", n, !memcmp(f, g, 4 * n128));
    long *l = malloc(8 * m), *k = malloc(8 * m);
    for (int i = 0; i < n; ++i) l[i] = k[i] = i % 13;
    scan(n, l);
    for (int i = 0; i < n; ++i) if (i % 96) k[i] += k[i - 1];
    check("scan", n, !memcmp(l, k, 8 * n));
    for (int i = 0; i < n; ++i) b[i] = i, w[i] = 0;
    reverse(n, b);
    for (int i = 0; i < n; ++i) { int q = i / 100 * 100, e = q + 100 < n ? q + 100 : n; w[i] = q + e - 1 - i; }
    check("reverse", n, !memcmp(b, w, 4 * n));
    for (int i = 0; i < n; ++i) a[i] = i * 5 % 23, b[i] = 1000 + i;
    wbonly(n, b, a);
    for (int i = 0; i < n; ++i) w[i] = a[i] & 1 ? a[i] : (a[i] & 2) && (a[i] & 4) ? -a[i] : 1000 + i;
    check("wbonly", n, !memcmp(b, w, 4 * n));
    free(a); free(b); free(w); free(f); free(g); free(l); free(k);
  }
  int rs[] = {1, 3, 16, 17, 40, 89};
  for (int s = 0; s < 36; ++s) {
    int row = rs[s / 6], col = rs[s % 6]; if (col > W) col = W;
    for (int H = 1; H <= 3; ++H) {
      for (int i = 0; i < 90; ++i) for (int j = 0; j < W; ++j) Tm[i][j] = X[i][j] = 50 + i * 31 % 17 + j * 7 % 11, P[i][j] = (i + j) % 5, R[i][j] = -1;
      for (int k = 0; k < H; ++k) { for (int i = 0; i < row; ++i) for (int j = 0; j < col; ++j) Y[i][j] = upd(X[i][j], P[i][j], X[i == row-1 ? i : i+1][j], X[i == 0 ? 0 : i-1][j], X[i][j == col-1 ? j : j+1], X[i][j == 0 ? 0 : j-1]); memcpy(X, Y, sizeof X); }
      if (H == 1) hot1(row, col, Tm, P, R); else if (H == 2) hot2(row, col, Tm, P, R); else hot3(row, col, Tm, P, R);
      int ok = 1;
      for (int i = 0; i < row; ++i) for (int j = 0; j < col; ++j) ok &= fabsf(R[i][j] - X[i][j]) < 1e-4f;
      if (!ok) printf("hot%d %dx%d BAD\n", H, row, col), bad++;
    }
  }
  printf("RESULT %s\n", bad ? "BAD" : "ok");
  return bad != 0;
}
