/*===- openarc.c - LUD, NW and products with OpenARC's directives ---------===//
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The loops of examples/openarc, timed; openarc-rivals.cu has the same by
 * hand. PROGRAM is 0 (LUD), 1 (NW) or 2 (a product).
 *
 *===----------------------------------------------------------------------===*/

#define main checkAll
#if PROGRAM == 0
#include "../../examples/openarc/lud.c"
#elif PROGRAM == 1
#include "../../examples/openarc/nw.c"
#else
#include "../../examples/openarc/matmul.c"
#endif
#undef main

#include "../gridloop/measure.h"

#if PROGRAM == 0
static void restore(float *restrict m, const float *restrict from, long size) {
#pragma acc parallel loop present(m[0 : size], from[0 : size])
  for (long i = 0; i < size; ++i)
    m[i] = from[i];
}

static void bench(int n) {
  const size_t size = (size_t)n * n;
  float *m = malloc(size * sizeof(float));
  float *from = malloc(size * sizeof(float));
  double *x = calloc(3 * (size_t)n, sizeof(double)), *y = x + n, *z = y + n;
  for (size_t i = 0; i < size; ++i)
    m[i] = from[i] = noise(i) + (i % (n + 1) == 0 ? n : 0);
  double ms;
#pragma acc data copy(m[0 : size]) copyin(from[0 : size])
  MEDIAN_OF(ms, restore(m, from, size); decompose(m, n));
  double worst = 0;
  for (int i = 0; i < n; ++i)
    x[i] = noise(i + 77);
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      y[i] += AT(i, j) * x[j];
  for (int i = 0; i < n; ++i) {
    double a = 0;
    z[i] = y[i];
    for (int j = 0; j < i; ++j)
      z[i] += AT(i, j) * y[j];
    for (int j = 0; j < n; ++j)
      a += from[(size_t)i * n + j] * x[j];
    worst = fmax(worst, fabs(a - z[i]) / fmax(1, fabs(a)));
  }
  report("openarc-lud", "accx", n, ms, 2.0 / 3 * n * n * n, "GFLOPS",
         worst < 1e-4);
  free(m);
  free(from);
  free(x);
}
#elif PROGRAM == 1
static void bench(int n) {
  const long width = n + 1, size = width * width;
  const int penalty = 10;
  int *score = malloc(size * sizeof(int)), *right = malloc(size * sizeof(int));
  int *match = malloc((size_t)n * n * sizeof(int));
  for (size_t i = 0; i < (size_t)n * n; ++i)
    match[i] = (int)(noise(i) * 20) - 6;
  for (int i = 0; i <= n; ++i)
    score[i] = score[i * width] = right[i] = right[i * width] = -i * penalty;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      right[(i + 1) * width + j + 1] =
          max3(right[i * width + j] + match[(size_t)i * n + j],
               right[(i + 1) * width + j] - penalty,
               right[i * width + j + 1] - penalty);
  double ms;
#pragma acc data copy(score[0 : size]) copyin(match[0 : (long)n * n])
  MEDIAN_OF(ms, align(n, n, score, match, penalty));
  report("openarc-nw", "accx", n, ms, (double)n * n, "Gcells",
         !memcmp(score, right, size * sizeof(int)));
  free(score);
  free(right);
  free(match);
}
#else
static void bench(int n) {
  const size_t size = (size_t)n * n;
  float *a = malloc(size * sizeof(float)), *b = malloc(size * sizeof(float));
  float *c = malloc(size * sizeof(float));
  for (size_t i = 0; i < size; ++i) {
    a[i] = (float)(i % 13) - 6;
    b[i] = (float)(i % 11) - 5;
  }
  double ms;
#pragma acc data copyout(c[0 : size]) copyin(a[0 : size], b[0 : size])
  MEDIAN_OF(ms, multiply(n, a, b, c));
  int right = 1;
  for (int i = 0; i < n; i += 97)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[(size_t)i * n + k] * b[(size_t)k * n + j];
      right &= sum == c[(size_t)i * n + j];
    }
  report("openarc-matmul", "accx", n, ms, 2.0 * n * n * n, "GFLOPS", right);
  free(a);
  free(b);
  free(c);
}
#endif

int main(int count, char **args) {
  if (count > 1 && !strcmp(args[1], "small"))
    return checkAll();
  bench(PROGRAM == 0 ? 512 : 1000);
  bench(2048);
  bench(4096);
  return checkAll() + (Wrong != 0);
}
