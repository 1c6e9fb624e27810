// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Subscripts of collapsed loops that add up to the number of the iteration.
//
// RUN: %device %s | %tuned -accx-grid-single=0 -accx-grid-order=0 2>&1 | FileCheck %s
// RUN: %device %s | opt -load-pass-plugin=%accx_plugin -accx-grid-loop \
// RUN:   -accx-grid-linear=0 -accx-grid-single=0 '-passes=default<O2>' \
// RUN:   -S -o - \
// RUN:   | FileCheck --check-prefix=OFF %s
// What it does at run time: linear.c.

// Divisors are products of the extents: of the comparison nothing is left.
// CHECK: linear.c:[[@LINE+3]]:1: 1 address of a grid-stride loop follows from the number of the iteration
// CHECK-NEXT: linear.c:[[@LINE+2]]:1: a grid-stride loop does 4 neighbouring iterations at a time
void cube(int n, int m, int l, float *y) {
#pragma omp target teams distribute parallel for collapse(3)
  for (int k = 0; k < n; k++)
    for (int j = 0; j < m; j++)
      for (int i = 0; i < l; i++)
        y[((unsigned long)k * (unsigned long)m + (unsigned long)j) *
              (unsigned long)l +
          (unsigned long)i] = 1;
}
// A guess: nothing ties the extent to the loop. The loop that counts digits in
// 32 bits is there, too.
// CHECK: linear.c:[[@LINE+4]]:1: 1 address of a grid-stride loop follows
// CHECK: linear.c:[[@LINE+3]]:1: a grid-stride loop of fewer than 2^31 iterations counts in 32 bits
void vla(int n, long m, long l, float *y) {
  float(*a)[l] = (float(*)[l])y;
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i][j] = 1;
}
// Constants need no comparison.
// CHECK: linear.c:[[@LINE+2]]:1: 1 address of a grid-stride loop follows
void fixed(float (*a)[1000]) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < 1000; i++)
    for (int j = 0; j < 1000; j++)
      a[i][j] = 1;
}
// Conditions keep the quotient.
// CHECK: linear.c:[[@LINE+2]]:1: 1 address of a grid-stride loop follows
void border(long n, long m, float *y) {
#pragma omp target teams distribute parallel for collapse(2)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      y[(i + 2) * m + j] = (float)(i + j);
}
// Neither the inside of an array, nor its transpose, nor rows with a constant
// length of which the loop knows nothing.
// CHECK-NOT: linear.c:{{.*}} follow
void inside(long n, long m, float *y) {
#pragma omp target teams distribute parallel for collapse(2)
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++)
      y[i * m + j] = 1;
}
void transposed(long n, long m, float *y) {
#pragma omp target teams distribute parallel for collapse(2)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      y[j * n + i] = 1;
}
void part(long n, long m, float (*a)[1000]) {
#pragma omp target teams distribute parallel for collapse(2)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i][j] = 1;
}
// One address that keeps a quotient, or may: then the others gain little.
void mixed(long n, long m, const float *x, const int *t, float *y) {
#pragma omp target teams distribute parallel for collapse(2)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      y[i * m + m - 1 - j] = x[i * m + j + 7 * t[i ^ 3]];
}

// CHECK-LABEL: define {{.*}}cube
// CHECK-NOT: is.linear
// CHECK-NOT: udiv
// CHECK-LABEL: define {{.*}}vla
// CHECK-DAG: %is.linear = icmp eq i64 %{{.*}}, 0
// CHECK-DAG: %is.narrow = icmp ult i64
// CHECK-LABEL: define {{.*}}fixed
// CHECK-NOT: is.linear
// CHECK-NOT: udiv
// CHECK-LABEL: define {{.*}}border
// OFF-NOT: is.linear
