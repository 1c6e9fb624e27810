// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which nests keep their order, and what is said of it.
//
// RUN: %device %s | %tuned -pass-remarks=grid-order \
// RUN:   -pass-remarks-missed=grid-order 2>&1 | FileCheck %s
// RUN: %device %s | %tuned -accx-grid-order=0 -pass-remarks=grid-order \
// RUN:   -pass-remarks-missed=grid-order 2>&1 \
// RUN:   | FileCheck --check-prefix=OFF %s --allow-empty
// OFF-NOT: collapsed loops

// Nothing is said where the order suits, or costs little.
// CHECK-NOT: refused.c:[[@LINE+2]]:1: collapsed loops
void rows(int n, const float *a, float *c) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : a[ : n * n]) map(tofrom : c[ : n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i * n + j] = a[i * n + j] + a[i];
}
// CHECK-NOT: refused.c:[[@LINE+2]]:1: collapsed loops
void transposed(int n, const float *a, float *c) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : a[ : n * n]) map(tofrom : c[ : n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i * n + j] = a[j * n + i];
}
// CHECK: refused.c:[[@LINE+2]]:1: collapsed loops have another one innermost, whose neighbours are neighbours in memory
void columns(int n, const float *a, float *c) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : a[ : n * n]) map(tofrom : c[ : n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[j * n + i] = a[j * n + i];
}
void hint(int);
#pragma omp declare target to(hint)
// CHECK: refused.c:[[@LINE+2]]:1: collapsed loops keep their order, though another one is innermost in memory: their body may ask which thread runs it
void observed(unsigned long n, const float *a, float *c) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : a[ : n * n]) map(tofrom : c[ : n * n])
  for (unsigned long i = 0; i < n; i++)
    for (unsigned long j = 0; j < n; j++) {
      hint(1);
      c[j * n + i] = a[j * n + i];
    }
}
