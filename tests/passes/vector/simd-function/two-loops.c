// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unswitching leaves a loop for each value of a condition; the sums of all of
// them reach the same place behind, whichever is widened first.
//
// RUN: %plainclang -O3 -fopenmp-simd -march=native -fpass-plugin=%accx_plugin -Rpass=simd-function %s -o %t 2>&1 | FileCheck %s --check-prefix=LOOPS
// LOOPS-COUNT-2: vectorized outer loop
// RUN: %t | FileCheck %s
// CHECK: 0 differ
#include <stdio.h>

__attribute__((noinline)) unsigned sum(const int *times, const int *b, int n,
                                       int mode) {
  unsigned s = 1;
#pragma omp simd reduction(+ : s)
  for (int i = 0; i < n; i++) {
    int x = 0;
    for (int k = 0; k < times[i]; k++) {
      if (mode > 5)
        x = x * 3 + k;
      else
        x += b[i] / (k + 1);
    }
    s += (unsigned)x;
  }
  return s;
}

int main(void) {
  static int times[100], b[100];
  int differ = 0;
  for (int i = 0; i < 100; i++) {
    times[i] = i % 7;
    b[i] = i * 31 % 97;
  }
  for (int mode = 4; mode < 8; mode++)
    for (int n = 0; n < 100; n++) {
      unsigned s = 1;
      for (volatile int v = 0; v < n; v++) {
        int i = v, x = 0;
        for (int k = 0; k < times[i]; k++)
          x = mode > 5 ? x * 3 + k : x + b[i] / (k + 1);
        s += (unsigned)x;
      }
      differ += s != sum(times, b, n, mode);
    }
  printf("%d differ\n", differ);
}
