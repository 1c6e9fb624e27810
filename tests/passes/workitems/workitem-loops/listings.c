// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements with channels compute what sequential loops compute: reduction,
// ghost zones in one and two dimensions, a transformation in place, at sizes
// around those of blocks and smaller, with one, two and more threads.
//
// RUN: %host -O2 %s -o %t && env OMP_NUM_THREADS=1 %t | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 %t | FileCheck %s
// RUN: env OMP_NUM_THREADS=4 %t | FileCheck %s
// RUN: %host -O0 %s -o %t && env OMP_NUM_THREADS=2 %t | FileCheck %s
// CHECK: RESULT ok
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bad;
static void check(const char *what, int n, const void *a, const void *b,
                  size_t bytes) {
  if (memcmp(a, b, bytes)) {
    bad++;
    printf("%s %d BAD\n", what, n);
  }
}

// Sums of blocks, then of sums.
enum { Reduce = 256 };
static int reduceBy(int count, int *restrict a, int *b) {
#pragma acc parallel loop copy(a[0 : count]) copy(b[0 : count])
  for (int i = 0; i < count; ++i) {
    int tile = i >> 8, offset = i & (Reduce - 1);
#pragma acc fcw FETCH_CHANNEL(a[i : 0 : 0]) block(Reduce)
    {
      for (int y = Reduce / 2; y > 0; y >>= 1)
        if (offset < y && i + y < count)
          a[i] = a[i] + a[i + y];
      if (i == tile * Reduce)
        b[tile] = a[i];
    }
  }
  return (count + Reduce - 1) / Reduce;
}
static void reduction(int n) {
  int *a = malloc(4 * n), *b = malloc(4 * n), sum = 0;
  for (int i = 0; i < n; ++i)
    a[i] = i * 37 % 101, sum += a[i];
  for (int count = n; count > 1;) {
    count = reduceBy(count, a, b);
    int *c = a;
    a = b;
    b = c;
  }
  check("reduction", n, a, &sum, 4);
  free(a);
  free(b);
}

// Several steps a launch: neighbouring blocks compute overlapping parts.
enum { Tile = 128 };
static void path(int cols, int rows, int t, int steps, int *restrict src,
                 int *dst, const int *data) {
  int pad = (cols / (Tile - 2 * steps) + 1) * steps * 2;
#pragma acc parallel loop copyin(data[0 : rows * cols], src[0 : cols])         \
    copyout(dst[0 : cols])
  for (int np = 0; np < cols + pad; np++) {
    int n = np - (np / Tile * 2 * steps + steps);
    int local = np & (Tile - 1);
    int val = 0, min;
    _Bool computed = 0;
#pragma acc fcw FETCH_CHANNEL(src[n : 0 : 0]) block(Tile)
    for (int i = 0; i < steps; i++) {
      int row = t + i + 1;
      if (row < rows) {
        computed = 0;
        if (local > i && local < Tile - i - 1 && n >= 0 && n < cols) {
          min = src[n];
          computed = 1;
          if (n > 0)
            min = min < src[n - 1] ? min : src[n - 1];
          if (n < cols - 1)
            min = min < src[n + 1] ? min : src[n + 1];
          val = data[row * cols + n] + min;
          src[n] = val;
        }
      }
    }
    if (computed)
      dst[n] = val;
  }
}
static void pathfinder(int cols, int rows, int steps) {
  int *data = malloc(4 * cols * rows), *a = malloc(4 * cols),
      *b = malloc(4 * cols), *p = malloc(4 * cols), *q = malloc(4 * cols), *x;
  for (int i = 0; i < cols * rows; i++)
    data[i] = i * 7919u % 101;
  memcpy(a, data, 4 * cols);
  memcpy(p, data, 4 * cols);
  for (int t = 0; t < rows - 1; t++, x = p, p = q, q = x)
    for (int n = 0; n < cols; n++) {
      int m = p[n];
      m = n && p[n - 1] < m ? p[n - 1] : m;
      m = n < cols - 1 && p[n + 1] < m ? p[n + 1] : m;
      q[n] = data[(t + 1) * cols + n] + m;
    }
  for (int t = 0; t < rows - 1; t += steps, x = a, a = b, b = x)
    path(cols, rows, t, steps, a, b, data);
  check("pathfinder", cols, a, p, 4 * cols);
  free(data), free(a), free(b), free(p), free(q);
}

// The same in two dimensions; the loop ends early in its last step.
enum { Side = 16 };
static void heat(int rows, int cols, int steps, double (*restrict temp)[cols],
                 double (*restrict power)[cols], double (*result)[cols]) {
  int padR = 2 * steps * (rows / (Side - 2 * steps) + 1);
  int padC = 2 * steps * (cols / (Side - 2 * steps) + 1);
#pragma acc parallel loop collapse(2) copyin(temp[0 : rows], power[0 : rows])  \
    copyout(result[0 : rows])
  for (int rs = 0; rs < rows + padR; rs++)
    for (int cs = 0; cs < cols + padC; cs++) {
      int r = rs - ((rs >> 4) * 2 * steps + steps);
      int c = cs - ((cs >> 4) * 2 * steps + steps);
      int S = r == rows - 1 ? rows - 1 : r + 1, N = r == 0 ? 0 : r - 1;
      int E = c == cols - 1 ? cols - 1 : c + 1, W = c == 0 ? 0 : c - 1;
      double next;
      _Bool compute = 0;
#pragma acc fcw FETCH_CHANNEL(temp[r : 0 : 0 : c : 0 : 0],                     \
                              power[r : 0 : 0 : c : 0 : 0]) block(Side, Side)
      for (int i = 0; i < steps; i++) {
        compute = 0;
        if (r >= 0 && c >= 0 && r < rows && c < cols && (rs & 15) > i &&
            (cs & 15) > i && (rs & 15) < 15 - i && (cs & 15) < 15 - i) {
          compute = 1;
          next =
              temp[r][c] + 0.125 * (power[r][c] + temp[S][c] + temp[N][c] +
                                    temp[r][E] + temp[r][W] - 4 * temp[r][c]);
        }
        if (i == steps - 1)
          break;
        if (compute)
          temp[r][c] = next;
      }
      if (compute)
        result[r][c] = next;
    }
}
static void hotspot(int rows, int cols, int steps) {
  size_t bytes = sizeof(double) * rows * cols;
  double(*t)[cols] = malloc(bytes), (*p)[cols] = malloc(bytes),
  (*o)[cols] = malloc(bytes), (*x)[cols] = malloc(bytes),
  (*y)[cols] = malloc(bytes);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      x[i][j] = t[i][j] = (i * 31 + j * 17) % 64, p[i][j] = (i + j) % 8;
  heat(rows, cols, steps, t, p, o);
  for (int k = 0; k < steps; k++) {
    for (int r = 0; r < rows; r++)
      for (int c = 0; c < cols; c++) {
        int S = r == rows - 1 ? rows - 1 : r + 1, N = r == 0 ? 0 : r - 1;
        int E = c == cols - 1 ? cols - 1 : c + 1, W = c == 0 ? 0 : c - 1;
        y[r][c] = x[r][c] + 0.125 * (p[r][c] + x[S][c] + x[N][c] + x[r][E] +
                                     x[r][W] - 4 * x[r][c]);
      }
    memcpy(x, y, bytes);
  }
  check("hotspot", rows * 1000 + cols, o, x, bytes);
  free(t), free(p), free(o), free(x), free(y);
}

// Walsh-Hadamard stages of a block, by a channel that has nothing before and
// hands nothing on, and by one that is written back.
enum { Walsh = 64 };
static void stages(int n, const float *in, float *out, float *restrict s) {
#pragma acc parallel loop copyin(in[0 : n]) copyout(out[0 : n]) create(s[0 : n])
  for (int i = 0; i < n; i++) {
    int local = i % Walsh, base = i / Walsh * Walsh;
#pragma acc fcw CHANNEL_ONLY(s[i : 0 : 0]) block(Walsh)
    {
      s[i] = in[i];
      for (int stride = Walsh / 2; stride > 0; stride >>= 1) {
        int partner = base + (local ^ stride);
        float mine = s[i], other = s[partner];
        s[i] = local & stride ? other - mine : mine + other;
      }
      out[i] = s[i];
    }
  }
}
static void stagesBack(int n, float *restrict s) {
#pragma acc parallel loop copy(s[0 : n])
  for (int i = 0; i < n; i++) {
    int local = i % Walsh, base = i / Walsh * Walsh;
#pragma acc fcw FETCH_CHANNEL_WB(s[i : 0 : 0]) block(Walsh)
    for (int stride = Walsh / 2; stride > 0; stride >>= 1) {
      float mine = s[i], other = s[base + (local ^ stride)];
      s[i] = local & stride ? other - mine : mine + other;
    }
  }
}
static void dyadic(int blocks) {
  int n = blocks * Walsh;
  float *in = malloc(4 * n + 4), *out = malloc(4 * n + 4),
        *s = malloc(4 * n + 4), *y = malloc(4 * n + 4);
  for (int i = 0; i < n; i++)
    y[i] = in[i] = i * 13 % 17, s[i] = -1, out[i] = -2;
  for (int b = 0; b < n; b += Walsh)
    for (int stride = Walsh / 2; stride > 0; stride >>= 1)
      for (int i = 0; i < Walsh; i++)
        if (!(i & stride)) {
          float p = y[b + i], q = y[b + i + stride];
          y[b + i] = p + q;
          y[b + i + stride] = p - q;
        }
  stages(n, in, out, s);
  check("channel only", n, out, y, 4 * n);
  memcpy(s, in, 4 * n);
  stagesBack(n, s);
  check("written back", n, s, y, 4 * n);
  free(in), free(out), free(s), free(y);
}

int main(void) {
  const int sizes[] = {1, 2, 17, 100, 127, 128, 129, 255, 256, 257, 1000, 5000};
  for (unsigned k = 0; k < sizeof(sizes) / sizeof(*sizes); ++k) {
    reduction(sizes[k]);
    pathfinder(sizes[k], 9, 2);
    pathfinder(sizes[k], 14, 12);
    if (sizes[k] < 200)
      for (int steps = 1; steps < 4; ++steps)
        hotspot(sizes[k], sizes[(k + 3) % 7], steps);
    dyadic(k);
  }
  puts(bad ? "RESULT BAD" : "RESULT ok");
  return bad;
}
