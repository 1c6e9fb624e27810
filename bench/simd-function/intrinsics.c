/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The ceiling: both kernels by hand in AVX-512, four vectors at once where that
 * hides latency. */
#include "kernels.h"

#include <immintrin.h>

static __m512i escape(__m512 cr, __m512 ci, int limit, __mmask16 active) {
  __m512 zr = _mm512_setzero_ps(), zi = zr;
  const __m512 four = _mm512_set1_ps(4.0f);
  __m512i count = _mm512_setzero_si512();
  const __m512i one = _mm512_set1_epi32(1);
  for (int k = 0; k < limit; k++) {
    __m512 a = _mm512_mul_ps(zr, zr), b = _mm512_mul_ps(zi, zi);
    active =
        _mm512_mask_cmp_ps_mask(active, _mm512_add_ps(a, b), four, _CMP_LE_OQ);
    if (!active)
      break;
    count = _mm512_mask_add_epi32(count, active, count, one);
    zi = _mm512_fmadd_ps(_mm512_add_ps(zr, zr), zi, ci);
    zr = _mm512_add_ps(_mm512_sub_ps(a, b), cr);
  }
  return count;
}

void hand_mandel_declare(int *out, float x, float dx, float y, int n,
                         int limit) {
  const __m512i lanes =
      _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  for (int i = 0; i < n; i += 16) {
    __mmask16 active = n - i >= 16 ? 0xffff : (1u << (n - i)) - 1;
    __m512 index =
        _mm512_cvtepi32_ps(_mm512_add_epi32(lanes, _mm512_set1_epi32(i)));
    __m512 cr = _mm512_fmadd_ps(index, _mm512_set1_ps(dx), _mm512_set1_ps(x));
    _mm512_mask_storeu_epi32(out + i, active,
                             escape(cr, _mm512_set1_ps(y), limit, active));
  }
}

void hand_mandel_outer(int *out, float x, float dx, float y, int n, int limit) {
  hand_mandel_declare(out, x, dx, y, n, limit);
}

static __m512i step(const float *tree, __m512 key, __m512i node,
                    __mmask16 active) {
  __m512 value =
      _mm512_mask_i32gather_ps(_mm512_setzero_ps(), active, node, tree, 4);
  __mmask16 right = _mm512_cmp_ps_mask(key, value, _CMP_GT_OQ);
  const __m512i one = _mm512_set1_epi32(1);
  node = _mm512_add_epi32(_mm512_add_epi32(node, node), one);
  return _mm512_mask_add_epi32(node, right, node, one);
}

void hand_tree_declare(int *out, const float *tree, const float *keys, int n,
                       int depth) {
  int i = 0;
  for (; i + 64 <= n; i += 64) {
    __m512i node[4];
    for (int v = 0; v < 4; v++)
      node[v] = _mm512_setzero_si512();
    for (int d = 0; d < depth; d++)
      for (int v = 0; v < 4; v++)
        node[v] =
            step(tree, _mm512_loadu_ps(keys + i + 16 * v), node[v], 0xffff);
    for (int v = 0; v < 4; v++)
      _mm512_storeu_si512(out + i + 16 * v, node[v]);
  }
  for (; i < n; i += 16) {
    __mmask16 active = n - i >= 16 ? 0xffff : (1u << (n - i)) - 1;
    __m512 key = _mm512_maskz_loadu_ps(active, keys + i);
    __m512i node = _mm512_setzero_si512();
    for (int d = 0; d < depth; d++)
      node = step(tree, key, node, active);
    _mm512_mask_storeu_epi32(out + i, active, node);
  }
}

void hand_tree_outer(int *out, const float *tree, const float *keys, int n,
                     int depth) {
  hand_tree_declare(out, tree, keys, n, depth);
}
