// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outer loops that remain as they are, with a remark that names the reason.
//
// RUN: %plainclang -O2 -fopenmp-simd -mavx2 -fpass-plugin=%accx_plugin -Wno-pass-failed -Rpass=simd-function -Rpass-missed=simd-function -S -emit-llvm %s -o - 2>&1 | FileCheck %s

// CHECK: outer loop not vectorized: a value of its last iteration is used behind it
int last_value(int *a, const int *n, int count) {
  int last = 0;
#pragma omp simd lastprivate(last)
  for (int i = 0; i < count; i++) {
    last = 1;
    for (int k = 0; k < n[i]; k++)
      last = last * 3 + k;
    a[i] = last;
  }
  return last;
}

// CHECK: outer loop not vectorized: it has inline assembly
void assembly(int *a, const int *n, int count) {
#pragma omp simd
  for (int i = 0; i < count; i++) {
    int x = 1;
    for (int k = 0; k < n[i]; k++)
      __asm__ volatile("" : "+r"(x));
    a[i] = x;
  }
}

// CHECK: outer loop not vectorized: its accesses are not known to be independent
int outside(const int *n, int count, int start) {
  int local[4] = {start, 1, 2, 3};
#pragma omp simd
  for (int i = 0; i < count; i++)
    for (int k = 0; k < n[i]; k++)
      local[n[i] & 3] += k;
  return local[start & 3];
}

// The vectorizer does better with the inner loop.
// CHECK: outer loop not vectorized: its inner loops' accesses are in one piece, its own are not
void rows(float (*restrict c)[256], float (*restrict a)[256], int n) {
#pragma omp simd
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 256; j++)
      c[i][j] += a[i][j] * 2;
}

// No pragma: not for this pass, and no remark.
// CHECK-NOT: outer loop
void unmarked(int *a, const int *n, int count) {
  for (int i = 0; i < count; i++) {
    int x = 1;
    for (int k = 0; k < n[i]; k++)
      x = x * 3 + k;
    a[i] = x;
  }
}
