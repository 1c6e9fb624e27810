// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of a function with variants that reads memory through a pointer, which
// LoopVectorize leaves alone: the loop is widened as an outer loop is.
//
// RUN: %plainclang -O2 -fopenmp-simd -mavx2 -fpass-plugin=%accx_plugin -Rpass=simd-function -S -emit-llvm %s -o - 2>&1 | FileCheck %s
// CHECK: remark: vectorized outer loop with 8 lanes
// CHECK-LABEL: define {{.*}}@queries(
// CHECK: call <8 x i32> @_ZGVdN8uvu_search(
// CHECK: call <8 x i32> @_ZGVdM8uvu_search(
#pragma omp declare simd uniform(tree, depth)
int search(const float *tree, float key, int depth) {
  int node = 0;
  for (int d = 0; d < depth; d++)
    node = 2 * node + 1 + (key > tree[node]);
  return node;
}

void queries(int *out, const float *tree, const float *keys, int n, int depth) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    out[i] = search(tree, keys[i], depth);
}
