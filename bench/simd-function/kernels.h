/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * What every implementation provides, under its own prefix. */
#ifndef SIMD_FUNCTION_KERNELS_H
#define SIMD_FUNCTION_KERNELS_H

#define DECLARE(IMPL)                                                          \
  void IMPL##_mandel_declare(int *out, float x, float dx, float y, int n,      \
                             int limit);                                       \
  void IMPL##_mandel_outer(int *out, float x, float dx, float y, int n,        \
                           int limit);                                         \
  void IMPL##_tree_declare(int *out, const float *tree, const float *keys,     \
                           int n, int depth);                                  \
  void IMPL##_tree_outer(int *out, const float *tree, const float *keys,       \
                         int n, int depth);

DECLARE(scalar)
DECLARE(clang)
DECLARE(gcc)
DECLARE(accx)
DECLARE(hand)

#endif
