// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices of collapsed loops are counted on: no division is left in the loop.
// What a wrap of the lower part takes from the upper one is the cofactor.
//
// RUN: %device %s | %tuned -accx-grid-single=0 2>&1 | FileCheck %s

// CHECK: indices.c:[[@LINE+2]]:1: 1 division of a grid-stride loop replaced by counting
void two(int n, int m, const float *x, float *y) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : x[ : n * m]) map(tofrom : y[ : n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i * m + j] = x[i * m + j] * i + j;
}
// CHECK: indices.c:[[@LINE+2]]:1: 2 divisions of a grid-stride loop replaced by counting
void three(int n, const float *x, float *y) {
#pragma omp target teams distribute parallel for collapse(3) map(to : x[ : n]) \
    map(tofrom : y[ : n])
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        y[(i * n + j) * n + k] = x[(i * n + j) * n + k + 1];
}
// Those of unsigned counters are multiplied so that they do not wrap.
// CHECK: indices.c:[[@LINE+2]]:1: 2 divisions of a grid-stride loop replaced by counting
void unsignedThree(unsigned n, const float *x, float *y) {
#pragma omp target teams distribute parallel for collapse(3) map(to : x[ : n]) \
    map(tofrom : y[ : n])
  for (unsigned i = 1; i < n - 1; i++)
    for (unsigned j = 1; j < n - 1; j++)
      for (unsigned k = 1; k < n - 1; k++)
        y[(i * n + j) * n + k] = x[(i * n + j) * n + k + 1];
}
// A program's own divisions, by divisors of unknown sign.
// CHECK: indices.c:[[@LINE+2]]:1: 2 divisions of a grid-stride loop replaced by counting
void own(int n, int m, int *y) {
#pragma omp target teams distribute parallel for map(tofrom : y[ : n])
  for (int i = 0; i < n; i++)
    y[i] = i / m * 1000 + i % m;
}
// A quotient divided again.
// CHECK: indices.c:[[@LINE+2]]:1: 3 divisions of a grid-stride loop replaced by counting
void again(int n, unsigned a, unsigned b, unsigned *y) {
#pragma omp target teams distribute parallel for map(tofrom : y[ : n])
  for (unsigned i = 0; i < n; i++)
    y[i] = i % a + (i / a) % b * 100;
}
// A program's own unsigned products may wrap: what is left of them is taken
// back with a borrow.
// CHECK: indices.c:[[@LINE+2]]:1: 4 divisions of a grid-stride loop replaced by counting
void wraps(unsigned n, unsigned a, unsigned b, unsigned *y) {
#pragma omp target teams distribute parallel for map(tofrom : y[ : n])
  for (unsigned i = 0; i < n; i++)
    y[i] = i / (a * b) + i % (a * b) / b * 100 + i % (a * b) % b * 10000;
}
// Cells of a cube, of which only those inside divide a second time. That n is
// above zero follows from n * n * n.
// CHECK: indices.c:[[@LINE+2]]:1: 4 divisions of a grid-stride loop replaced by counting
void inside(int n, int *y) {
#pragma omp target teams distribute parallel for map(tofrom : y[ : n])
  for (int i = 0; i < n * n * n; i++)
    if (i % n > 0 && i / n % n > 0)
      y[i] = i / (n * n);
}
// Bounds in memory, of which the loop's own copy may differ for all that LLVM
// knows: what a loop divides by has no sign.
// CHECK: indices.c:[[@LINE+5]]:1: 2 divisions of a grid-stride loop replaced by counting
struct Cube {
  int n;
};
void member(struct Cube c, float *y) {
#pragma omp target teams distribute parallel for collapse(3)                   \
    map(tofrom : y[ : 10])
  for (int i = 0; i < c.n; i++)
    for (int j = 0; j < c.n; j++)
      for (int k = 0; k < c.n; k++)
        y[(i * c.n + j) * c.n + k] = k;
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
// CHECK-NOT: %borrow
// CHECK: %grid.next
// CHECK-LABEL: define {{.*}}own
// CHECK: %rest{{.*}} = phi
// CHECK-NOT: {{ [su](div|rem) }}
// CHECK: %grid.next
// CHECK-LABEL: define {{.*}}wraps
// CHECK: %rest{{.*}} = phi
// CHECK-NOT: {{ [su](div|rem) }}
// CHECK: %borrow
// CHECK-NOT: {{ [su](div|rem) }}
// CHECK-LABEL: define {{.*}}inside
// CHECK: %rest{{.*}} = phi
// CHECK-NOT: {{ [su](div|rem) }}
// CHECK: %grid.next
// CHECK-LABEL: define {{.*}}member
// CHECK: %rest{{.*}} = phi
// CHECK-NOT: {{ [su](div|rem) }}
// CHECK: %grid.next
