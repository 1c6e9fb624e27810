// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No more iterations at once than safelen allows: elements written by one are
// read by the fifth after it.
//
// RUN: %plainclang -O2 -fopenmp-simd -march=native -fpass-plugin=%accx_plugin -Rpass=simd-function %s -o %t 2>&1 | FileCheck %s
// CHECK: vectorized outer loop with 4 lanes
// RUN: %t | FileCheck %s --check-prefix=RESULT
// RESULT: 0 differ
#include <stdio.h>

__attribute__((noinline)) void chain(int *a, const int *times, int n) {
#pragma omp simd safelen(5)
  for (int i = 5; i < n; i++) {
    int x = a[i - 5];
    for (int k = 0; k < times[i]; k++)
      x = (x * 3 + k) & 0xffff;
    a[i] = x;
  }
}

int main(void) {
  static int a[200], b[200], times[200];
  int differ = 0;
  for (int i = 0; i < 200; i++) {
    a[i] = b[i] = i;
    times[i] = i % 7;
  }
  chain(a, times, 200);
  for (volatile int i = 5; i < 200; i++) {
    int x = b[i - 5];
    for (int k = 0; k < times[i]; k++)
      x = (x * 3 + k) & 0xffff;
    b[i] = x;
  }
  for (int i = 0; i < 200; i++)
    differ += a[i] != b[i];
  printf("%d differ\n", differ);
}
