// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges that stay apart, and nests that have none.
//
// RUN: %plainclang -O2 -fpass-plugin=%accx_plugin -Rpass=simd-join -Rpass-missed=simd-join -S -emit-llvm %s -o - 2>&1 | FileCheck %s
// RUN: %plainclang -O1 -fpass-plugin=%accx_plugin -Rpass=simd-join -S -emit-llvm %S/ranges.c -o - 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %plainclang -Os -fpass-plugin=%accx_plugin -Rpass=simd-join -S -emit-llvm %S/ranges.c -o - 2>&1 | FileCheck %s --check-prefix=NONE
// NONE-NOT: ranges.joined

// What an iteration has is used in its range.
// CHECK: remark: ranges that follow each other are not one loop: its body depends on more than where it is in all ranges
void iteration(long *c, long items, long each) {
  for (long i = 0; i < items; i++)
    for (long k = i * each; k < (i + 1) * each; k++)
      c[k] = i;
}

// A sum of each range.
// CHECK-NOT: {{remark|ranges.joined}}
void sums(int *restrict c, const int *restrict a, long items, long each) {
  for (long i = 0; i < items; i++) {
    int sum = 0;
    for (long k = i * each; k < (i + 1) * each; k++)
      sum += a[k];
    c[i] = sum;
  }
}

// Rows of an array that are longer than the loop; ranges that overlap.
void pitch(double *c, const double *a, long n, long m, long pitch) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      c[i * pitch + j] = a[i * pitch + j] * 2;
}

void overlap(int *c, const int *a, long items, long each) {
  for (long i = 0; i < items; i++)
    for (long k = i * each; k < (i + 1) * each + 2; k++)
      c[k] += a[k];
}

// The program says how the inner loop is to be run.
void pragma(double *c, const double *a, long n, long m) {
  for (long i = 0; i < n; i++)
#pragma clang loop vectorize_width(4)
    for (long j = 0; j < m; j++)
      c[i * m + j] = a[i * m + j] * 2;
}

// Long ranges gain nothing.
void known(double *c, const double *a, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 1000; j++)
      c[i * 1000 + j] = a[i * 1000 + j] * 2;
}

void print(long);

// Calls are no vectors.
void call(long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      print(i * m + j);
}
