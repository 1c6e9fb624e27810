// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses whose indices are counted move with them: no products of 64 bits
// are left in the loop.
//
// RUN: %device %s | %tuned -accx-grid-coarsen=false 2>&1 | FileCheck %s

// CHECK: count-addresses.c:[[@LINE+4]]:1: 3 addresses of a grid-stride loop move with its indices
void variableLength(int n, const float *from, float *to) {
  const float(*a)[n][n] = (const float(*)[n][n])from;
  float(*b)[n][n] = (float(*)[n][n])to;
#pragma omp target teams distribute parallel for collapse(3)
  for (int z = 1; z < n - 1; z++)
    for (int y = 1; y < n - 1; y++)
      for (int x = 1; x < n - 1; x++)
        b[z][y][x] = a[z][y - 1][x] + a[z - 1][y][x];
}
// Indices of 32 bits are cheap, and may have wrapped.
// CHECK-NOT: count-addresses.c:[[@LINE+2]]:1: {{.*}} move with its indices
void narrow(unsigned n, unsigned m, const float *a, float *b) {
#pragma omp target teams distribute parallel for collapse(2)
  for (unsigned y = 0; y < n; y++)
    for (unsigned x = 0; x < m; x++)
      b[y * m + x] = a[y * m + x];
}
// One product is as cheap.
// CHECK-NOT: count-addresses.c:[[@LINE+2]]:1: {{.*}} move with its indices
void rows(long n, long m, const float *a, float *b) {
#pragma omp target teams distribute parallel for collapse(2)
  for (long y = 0; y < n; y++)
    for (long x = 0; x < m; x++)
      b[y * m + x] = a[y * m + x];
}
// Products of unsigned extents may wrap, so that indices borrow.
// CHECK-NOT: count-addresses.c:[[@LINE+2]]:1: {{.*}} move with its indices
void borrowing(unsigned long n, unsigned long m, const float *a, float *b) {
#pragma omp target teams distribute parallel for collapse(3)
  for (unsigned long z = 0; z < n; z++)
    for (unsigned long y = 0; y < n; y++)
      for (unsigned long x = 0; x < m; x++)
        b[(z * n + y) * m + x] = a[(z * n + y) * m + x];
}
// A product of two indices is no multiple of either.
// CHECK-NOT: count-addresses.c:[[@LINE+2]]:1: {{.*}} move with its indices
void productOfIndices(long n, long m, const float *a, float *b) {
#pragma omp target teams distribute parallel for collapse(2)
  for (long y = 0; y < n; y++)
    for (long x = 0; x < m; x++)
      b[y * x] = a[y * x];
}
// What the loop loads is not known before.
// CHECK-NOT: count-addresses.c:[[@LINE+2]]:1: {{.*}} move with its indices
void loaded(long n, long m, const long *at, float *b) {
#pragma omp target teams distribute parallel for collapse(2)
  for (long y = 0; y < n; y++)
    for (long x = 0; x < m; x++)
      b[at[x] * m + y] = 1;
}

// CHECK-LABEL: define {{.*}}variableLength
// CHECK: %bytes{{.*}} = phi i64
// CHECK: %bytes{{.*}} = phi i64
// CHECK-NOT: mul
// CHECK: %grid.next
