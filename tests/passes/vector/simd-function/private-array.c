// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array of each iteration's own: LLVM 19's vectorizer would let all lanes
// share it, because clang marks its accesses as independent.
//
// RUN: %plainclang -O2 -fopenmp-simd -march=native -fpass-plugin=%accx_plugin %s -o %t
// RUN: %t | FileCheck %s
// CHECK: 0 differ
#include <stdio.h>

__attribute__((noinline)) void pick(int *restrict out, const int *restrict in,
                                    int n) {
#pragma omp simd
  for (int i = 0; i < n; i++) {
    int a[8];
    for (int q = 0; q < 8; q++)
      a[q] = q * in[i];
    a[in[i] & 7] = i;
    out[i] = a[(in[i] >> 3) & 7];
  }
}

int main(void) {
  static int in[1003], out[1003];
  int differ = 0;
  for (int i = 0; i < 1003; i++)
    in[i] = (i * 37) % 64;
  pick(out, in, 1003);
  for (int i = 0; i < 1003; i++) {
    int q = (in[i] >> 3) & 7;
    differ += out[i] != (q == (in[i] & 7) ? i : q * in[i]);
  }
  printf("%d differ\n", differ);
}
