// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain simd loops: lanes where neighbouring iterations touch neighbouring
// memory; where they do not, threads share cache lines as they are. Loops that
// are simd and dealt out to threads, and ones with safelen, are not looked at.
//
// RUN: %device %s | %simt-lanes -o /dev/null 2>&1 | FileCheck %s
// RUN: %device %s | %simt-lanes -accx-simt-lanes-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECK-ALL

// CHECK: simd.c:[[#@LINE+5]]:1: vector loop runs across 32 lanes
// CHECK-ALL: simd.c:[[#@LINE+4]]:1: vector loop runs across 32 lanes
void rows(int n, int m, float *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m])
  for (int i = 0; i < n; i++)
#pragma omp simd
    for (int j = 0; j < m; j++)
      a[i * m + j] += 1;
}

// CHECK: simd.c:[[#@LINE+5]]:1: vector loop stays serial: its accesses are strided
// CHECK-ALL: simd.c:[[#@LINE+4]]:1: vector loop runs across 32 lanes
void columns(int n, int m, float *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m])
  for (int i = 0; i < n; i++)
#pragma omp simd
    for (int j = 0; j < m; j++)
      a[j * n + i] += 1;
}

// Four elements are no work for a warp.
// CHECK: simd.c:[[#@LINE+5]]:1: vector loop stays serial
// CHECK-ALL: simd.c:[[#@LINE+4]]:1: vector loop runs across 4 lanes
void four(int n, float *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * 4])
  for (int i = 0; i < n; i++)
#pragma omp simd
    for (int j = 0; j < 4; j++)
      a[i * 4 + j] += 1;
}

// CHECK-NOT: remark
// CHECK-ALL-NOT: remark
void all(int n, float *a) {
#pragma omp target teams distribute parallel for simd map(tofrom : a[ : n])
  for (int i = 0; i < n; i++)
    a[i] += 1;
}

void near(int n, int m, float *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m])
  for (int i = 0; i < n; i++)
#pragma omp simd safelen(4)
    for (int j = 4; j < m; j++)
      a[i * m + j] += a[i * m + j - 4];
}
