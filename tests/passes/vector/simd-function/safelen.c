// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements written by one iteration are read by the fifth after it. `safelen`
// comes as a width, as does a pragma that promises nothing: both are left
// alone.
//
// RUN: %plainclang -O2 -fopenmp-simd -march=native -fpass-plugin=%accx_plugin -Wno-pass-failed -Rpass=simd-function -Rpass-missed=simd-function %s -o %t 2>&1 | FileCheck %s
// CHECK-COUNT-2: outer loop not vectorized: its accesses are not known to be independent
// CHECK-NOT: vectorized outer loop
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

__attribute__((noinline)) void asked(int *a, const int *times, int n) {
#pragma clang loop vectorize_width(8)
  for (int i = 5; i < n; i++) {
    int x = a[i - 5];
    for (int k = 0; k < times[i]; k++)
      x = (x * 3 + k) & 0xffff;
    a[i] = x;
  }
}

int main(void) {
  static int a[200], b[200], c[200], times[200];
  int differ = 0;
  for (int i = 0; i < 200; i++) {
    a[i] = b[i] = c[i] = i;
    times[i] = i % 7;
  }
  chain(a, times, 200);
  asked(c, times, 200);
  for (volatile int i = 5; i < 200; i++) {
    int x = b[i - 5];
    for (int k = 0; k < times[i]; k++)
      x = (x * 3 + k) & 0xffff;
    b[i] = x;
  }
  for (int i = 0; i < 200; i++)
    differ += a[i] != b[i] || c[i] != b[i];
  printf("%d differ\n", differ);
}
