// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that advance by equal steps, on GPUs and on processors: integers of
// 32 and 64 bits, nests that are collapsed, strides.
//
// RUN: %gpu -O2 -mllvm -accx-grid-shape=0 -emit-llvm %s | %tables | FileCheck %s
// RUN: %cpu -O2 -emit-llvm %s | %tables | FileCheck %s
// RUN: %gpu -O1 -mllvm -accx-grid-shape=0 -emit-llvm %s | %tables | FileCheck %s
// RUN: %cpu -O3 -emit-llvm %s | %tables | FileCheck %s

// CHECK: line: part %1..%2 reads [6] writes [5]
// CHECK-NEXT: write %5 start 0 step 4
// CHECK-NEXT: read %6 start 0 step 8
void line(int n, const double *x, float *y) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(from : y[ : n])
  for (int i = 0; i < n; ++i)
    y[i] = x[i];
}

// CHECK: stride: part %1..%2 {{.*}} writes [5]
// CHECK-NEXT: write %5 start 28 step 12
void stride(long n, float *y) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for map(tofrom : y[ : n + 2])
  for (long i = 5; i < n; i += 3)
    y[i + 2] = 1;
}

// The number of columns has 31 or 32 bits that count.
// CHECK: plane: part %1..%2 reads [7] writes [6]
// CHECK-NEXT: write %6 start 8 + 8*%[[M:[0-9]+]]:3{{[12][sz]}} step 8*%[[M]]:3
// CHECK-NEXT: read %7 start 8 + 8*%[[M]]:3{{[12][sz]}} step 8*%[[M]]:3
void plane(int n, int m, const double *restrict a, double *restrict b) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : a[ : n * m]) map(from : b[ : n * m])
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      b[i * m + j] = a[i * m + j] + a[(i - 1) * m + j];
}

// CHECK: space: part %1..%2 {{.*}} writes [7]
// CHECK-NEXT: write %7 start 0 step 4*%[[K:[0-9]+]]:64s*%[[L:[0-9]+]]:64s
void space(long n, long m, long k, float *b) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for collapse(3)                   \
    map(from : b[ : n * m * k])
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long l = 0; l < k; l++)
        b[(i * m + j) * k + l] = i + j;
}

// What is read lies far from what is written.
// CHECK: transposed: part %1..%2 reads [7] writes [6]
// CHECK-NEXT: write %6 start 0 step 4*%[[N:[0-9]+]]:64s
// CHECK-NEXT: read %7 start 0 step 4{{$}}
void transposed(long n, const float *a, float *b) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for map(to : a[ : n * n])         \
    map(from : b[ : n * n])
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      b[i * n + j] = a[j * n + i];
}

// A gathered read has no program, and neither has a scattered write.
// CHECK: gathered: part %1..%2 reads [6, 7] writes [5]
// CHECK-NEXT: write %5 start 0 step 4
// CHECK-NEXT: read %7 start 0 step 4
// CHECK: scattered: part %1..%2 reads [6] writes [5]
// CHECK-NEXT: read %6 start 0 step 4
// CHECK-NOT: write
void gathered(int n, const float *a, const int *x, float *b) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for map(to : a[ : n], x[ : n])    \
    map(from : b[ : n])
  for (int i = 0; i < n; i++)
    b[i] = a[x[i]];
}
void scattered(int n, const int *x, float *b) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : b[ : n])
  for (int i = 0; i < n; i++)
    b[x[i]] = 1;
}
