// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What numbers of collapsed iterations are divided by is exact: products
// of 32 bits become wider, those of 64 bits do not wrap, and none has
// a sign. The programs' own products stay as they are.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

void narrow(unsigned n, unsigned m, unsigned k, float *x) {
#pragma omp target teams distribute parallel for collapse(3)                   \
    map(tofrom : x[ : 9])
  for (unsigned a = 0; a < n; a++)
    for (unsigned b = 0; b < m; b++)
      for (unsigned c = 0; c < k; c++)
        x[a * (m * k) + b * k + c] += 1;
}
// CHECK-LABEL: define internal void @{{.*}}narrow{{.*}}omp_outlined_omp_outlined(
// CHECK: %grid.iv = phi
// CHECK: %[[MK:.*]] = mul nuw nsw i64 %
// CHECK: udiv i64 %{{.*}}, %[[MK]]
// CHECK-NOT: sdiv i64
// CHECK: mul i32

void wide(unsigned long n, unsigned long m, unsigned long k, float *x) {
#pragma omp target teams distribute parallel for collapse(3)                   \
    map(tofrom : x[ : 9])
  for (unsigned long a = 0; a < n; a++)
    for (unsigned long b = 0; b < m; b++)
      for (unsigned long c = 0; c < k; c++)
        x[a * (m * k) + b * k + c] += 1;
}
// CHECK-LABEL: define internal void @{{.*}}wide{{.*}}omp_outlined(
// CHECK: %[[NM:.*]] = mul nuw i64
// CHECK: mul nuw i64 %[[NM]]
// CHECK-LABEL: define internal void @{{.*}}wide{{.*}}omp_outlined_omp_outlined(
// CHECK: %grid.iv = phi
// CHECK: %[[MK:.*]] = mul nuw i64 %
// CHECK: udiv i64 %{{.*}}, %[[MK]]

void signs(int n, int m, int k, float *x) {
#pragma omp target teams distribute parallel for collapse(3)                   \
    map(tofrom : x[ : 9])
  for (int a = 0; a < n; a++)
    for (int b = 0; b < m; b++)
      for (int c = 0; c < k; c++)
        x[(a * m + b) * k + c] += a / k;
}
// CHECK-LABEL: define internal void @{{.*}}signs{{.*}}omp_outlined_omp_outlined(
// CHECK: %grid.iv = phi
// CHECK: %[[MK:.*]] = mul nuw nsw i64 %
// CHECK: udiv i64 %{{.*}}, %[[MK]]
// CHECK-NOT: sdiv i64
// CHECK: zext nneg i32 %{{.*}} to i64
// CHECK-NOT: sdiv i64
// CHECK: sdiv i32

// One loop: its step is not a trip count.
void step(unsigned long n, unsigned long s, unsigned long t, float *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : 9])
  for (unsigned long a = 0; a < n; a += s * t)
    x[a] += 1;
}
// CHECK-LABEL: define internal void @{{.*}}step{{.*}}omp_outlined_omp_outlined(
// CHECK: %grid.iv = phi
// CHECK-NOT: mul nuw
// CHECK: br i1
