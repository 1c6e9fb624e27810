/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The kernels in plain C, compiled once for each compiler with IMPL its name.
 * Multiply-adds are written out, so that all of them count the same. */
#include "kernels.h"

#define JOIN2(A, B) A##_##B
#define JOIN(A, B) JOIN2(A, B)
#define NAME(KERNEL) JOIN(IMPL, KERNEL)

/* Iterations until the point escapes. */
#pragma omp declare simd uniform(limit) notinbranch
int NAME(escape)(float cr, float ci, int limit) {
  float zr = 0, zi = 0;
  int k;
  for (k = 0; k < limit; k++) {
    float a = zr * zr, b = zi * zi;
    if (a + b > 4.0f)
      break;
    zi = __builtin_fmaf(2 * zr, zi, ci);
    zr = a - b + cr;
  }
  return k;
}

void NAME(mandel_declare)(int *out, float x, float dx, float y, int n,
                          int limit) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = NAME(escape)(__builtin_fmaf(i, dx, x), y, limit);
}

void NAME(mandel_outer)(int *out, float x, float dx, float y, int n,
                        int limit) {
#pragma omp simd
  for (int i = 0; i < n; i++) {
    float cr = __builtin_fmaf(i, dx, x), zr = 0, zi = 0;
    int k;
    for (k = 0; k < limit; k++) {
      float a = zr * zr, b = zi * zi;
      if (a + b > 4.0f)
        break;
      zi = __builtin_fmaf(2 * zr, zi, y);
      zr = a - b + cr;
    }
    out[i] = k;
  }
}

/* The leaf of a complete binary tree, stored by levels, where the key belongs.
 */
#pragma omp declare simd uniform(tree, depth) notinbranch
int NAME(leaf)(const float *tree, float key, int depth) {
  int node = 0;
  for (int d = 0; d < depth; d++)
    node = 2 * node + 1 + (key > tree[node]);
  return node;
}

void NAME(tree_declare)(int *out, const float *tree, const float *keys, int n,
                        int depth) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = NAME(leaf)(tree, keys[i], depth);
}

void NAME(tree_outer)(int *out, const float *tree, const float *keys, int n,
                      int depth) {
#pragma omp simd
  for (int i = 0; i < n; i++) {
    int node = 0;
    for (int d = 0; d < depth; d++)
      node = 2 * node + 1 + (keys[i] > tree[node]);
    out[i] = node;
  }
}
