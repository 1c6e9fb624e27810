// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in routines: what their level leaves for them.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s --implicit-check-not="#pragma omp"

#pragma acc routine gang
// CHECK: #pragma omp declare target
// CHECK-LABEL: gangRoutine(
// CHECK: #pragma omp distribute parallel for
// CHECK: #pragma omp distribute
// CHECK: #pragma omp parallel for
// CHECK: #pragma omp end declare target
// CHECK: #pragma omp declare target
void gangRoutine(int N, float *A) {
#pragma acc loop gang vector
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc loop gang
  for (int I = 0; I < N; ++I) {
#pragma acc loop vector
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
  }
}

#pragma acc routine worker
// CHECK-LABEL: workerRoutine(
// CHECK: #pragma omp parallel for
// CHECK: #pragma omp simd
// CHECK: #pragma omp end declare target
// CHECK: #pragma omp declare target
void workerRoutine(int N, float *A) {
#pragma acc loop worker
  for (int I = 0; I < N; ++I) {
#pragma acc loop vector
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
  }
}

#pragma acc routine vector
// CHECK-LABEL: vectorRoutine(
// CHECK: #pragma omp parallel for
// CHECK: #pragma omp parallel for
// CHECK: #pragma omp end declare target
// CHECK: #pragma omp declare target
void vectorRoutine(int N, float *A) {
#pragma acc loop vector
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc loop
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

#pragma acc routine seq
// CHECK-LABEL: seqRoutine(
// CHECK: #pragma omp end declare target
// CHECK: #pragma omp declare target
void seqRoutine(int N, float *A) {
#pragma acc loop
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc loop seq
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

#pragma acc routine vector
// CHECK-LABEL: sumRoutine(
// CHECK: #pragma omp parallel for reduction(+: S)
// CHECK: #pragma omp end declare target
float sumRoutine(int N, const float *A) {
  float S = 0;
#pragma acc loop vector reduction(+ : S)
  for (int I = 0; I < N; ++I)
    S += A[I];
  return S;
}
