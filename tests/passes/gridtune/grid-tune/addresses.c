// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of neighbours are computed from one another: their differences do
// not change in the loop, however the program wrote the products.
//
// RUN: %device %s | %tuned -accx-grid-coarsen=false 2>&1 | FileCheck %s

// All seven from one: two products in the loop, those of the first index.
// CHECK: addresses.c:[[@LINE+2]]:1: 6 addresses of a grid-stride loop computed from their neighbours'
void wide(long n, const float *a, float *b) {
#pragma omp target teams distribute parallel for collapse(3) map(to : a[ : n]) \
    map(tofrom : b[ : n])
  for (long z = 1; z < n - 1; z++)
    for (long y = 1; y < n - 1; y++)
      for (long x = 1; x < n - 1; x++)
        b[(z * n + y) * n + x] =
            a[(z * n + y) * n + x] + a[(z * n + y) * n + x - 1] +
            a[(z * n + y) * n + x + 1] + a[(z * n + y - 1) * n + x] +
            a[(z * n + y + 1) * n + x] + a[((z - 1) * n + y) * n + x] +
            a[((z + 1) * n + y) * n + x];
}
// An index that may wrap is computed from another one before it is extended.
// CHECK: addresses.c:[[@LINE+2]]:1: 2 addresses of a grid-stride loop computed from their neighbours'
void narrow(unsigned n, unsigned m, const float *a, float *b) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[ : n]) \
    map(tofrom : b[ : n])
  for (unsigned y = 1; y < n - 1; y++)
    for (unsigned x = 1; x < m - 1; x++)
      b[y * m + x] = a[(y - 1) * m + x] + a[(y + 1) * m + x];
}
// What differs by something of the iteration's own stays.
// CHECK-NOT: addresses.c:[[@LINE+2]]:1: {{.*}} addresses
void own(long n, const long *at, const float *a, float *b) {
#pragma omp target teams distribute parallel for map(to : a[ : n], at[ : n])   \
    map(tofrom : b[ : n])
  for (long i = 0; i < n; i++)
    b[i] = a[at[i] * n + i] + a[at[i] * i + n];
}

// CHECK-LABEL: define {{.*}}wide
// CHECK: phi i64
// CHECK-COUNT-2: mul {{.*}}i64
// CHECK-NOT: mul
// CHECK: %grid.next
// CHECK-LABEL: define {{.*}}narrow
// CHECK: phi i32
// CHECK: mul {{.*}}i32
// CHECK-NOT: mul
// CHECK: %grid.next
