// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices of collapsed loops are counted on: no division is left in the loop.
// What a wrap of the lower part takes from the upper one is the cofactor.
//
// RUN: %device %s | %tuned 2>&1 | FileCheck %s

// CHECK: tune-indices.c:[[@LINE+2]]:1: 1 divisions of a grid-stride loop replaced by counting
void two(int n, int m, const float *x, float *y) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : x[ : n * m]) map(tofrom : y[ : n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i * m + j] = x[i * m + j] * i + j;
}
// CHECK: tune-indices.c:[[@LINE+2]]:1: 2 divisions of a grid-stride loop replaced by counting
void three(int n, const float *x, float *y) {
#pragma omp target teams distribute parallel for collapse(3) map(to : x[ : n]) \
    map(tofrom : y[ : n])
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        y[(i * n + j) * n + k] = x[(i * n + j) * n + k + 1];
}
// Unsigned products may wrap: what is left of them is taken back with a borrow.
// CHECK: tune-indices.c:[[@LINE+2]]:1: 2 divisions of a grid-stride loop replaced by counting
void unsignedThree(unsigned n, const float *x, float *y) {
#pragma omp target teams distribute parallel for collapse(3) map(to : x[ : n]) \
    map(tofrom : y[ : n])
  for (unsigned i = 1; i < n - 1; i++)
    for (unsigned j = 1; j < n - 1; j++)
      for (unsigned k = 1; k < n - 1; k++)
        y[(i * n + j) * n + k] = x[(i * n + j) * n + k + 1];
}
// A program's own divisions, by divisors of unknown sign.
// CHECK: tune-indices.c:[[@LINE+2]]:1: 2 divisions of a grid-stride loop replaced by counting
void own(int n, int m, int *y) {
#pragma omp target teams distribute parallel for map(tofrom : y[ : n])
  for (int i = 0; i < n; i++)
    y[i] = i / m * 1000 + i % m;
}
// A quotient divided again.
// CHECK: tune-indices.c:[[@LINE+2]]:1: 3 divisions of a grid-stride loop replaced by counting
void again(int n, unsigned a, unsigned b, unsigned *y) {
#pragma omp target teams distribute parallel for map(tofrom : y[ : n])
  for (unsigned i = 0; i < n; i++)
    y[i] = i % a + (i / a) % b * 100;
}

// CHECK-LABEL: define {{.*}}two
// CHECK: %rest{{.*}} = phi
// CHECK-NOT: {{ [su](div|rem) }}
// CHECK: %grid.next
// CHECK-LABEL: define {{.*}}three
// CHECK: %rest{{.*}} = phi
// CHECK-NOT: {{ [su](div|rem) }}
// CHECK: %grid.next
// CHECK-LABEL: define {{.*}}unsignedThree
// CHECK: %rest{{.*}} = phi
// CHECK-NOT: {{ [su](div|rem) }}
// CHECK: %borrow
// CHECK-NOT: {{ [su](div|rem) }}
// CHECK-LABEL: define {{.*}}own
// CHECK: %rest{{.*}} = phi
// CHECK-NOT: {{ [su](div|rem) }}
// CHECK: %grid.next
