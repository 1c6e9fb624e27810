// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kernels: one region for each loop or statement where they can be told apart,
// and data for the whole construct; else one region.
//
// RUN: %accx_print -Wno-everything -mllvm -accx-merge-levels=0 %s | \
// RUN:   FileCheck %s --implicit-check-not="#pragma omp"

// CHECK-LABEL: twoLoops(
// CHECK: #pragma omp target data map(ompx_hold,tofrom: A[0:N]) map(ompx_hold,to: B[0:N])
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: #pragma omp target teams distribute parallel for
void twoLoops(int N, float *A, float *B) {
#pragma acc kernels copy(A[0 : N]) copyin(B[0 : N])
  {
#pragma acc loop independent
    for (int I = 0; I < N; ++I)
      A[I] = B[I];
#pragma acc loop independent gang vector
    for (int I = 0; I < N; ++I)
      A[I] += 1;
  }
}

// CHECK-LABEL: loopsAndStatements(
// CHECK: #pragma omp target data map(ompx_hold,tofrom: A[0:N])
// CHECK: #pragma omp target
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: #pragma omp target
void loopsAndStatements(int N, float *A) {
#pragma acc kernels copy(A[0 : N])
  {
    A[0] = 1;
#pragma acc loop independent
    for (int I = 1; I < N; ++I)
      A[I] = 2;
    if (N > 3)
      A[3] = 4;
  }
}

// What is declared between would be lost to later regions.
// CHECK-LABEL: declaration(
// CHECK: #pragma omp target map(ompx_hold,tofrom: A[0:N])
// CHECK: #pragma omp parallel for
void declaration(int N, float *A) {
#pragma acc kernels copy(A[0 : N])
  {
    int M = N / 2;
#pragma acc loop independent
    for (int I = 0; I < M; ++I)
      A[I] = 2;
  }
}

// CHECK-LABEL: nestedLoops(
// CHECK: #pragma omp target teams distribute map(ompx_hold,tofrom: A[0:N * N]) num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
void nestedLoops(int N, float *A) {
#pragma acc kernels loop independent copy(A[0 : N * N])
  for (int I = 0; I < N; ++I) {
#pragma acc loop independent
    for (int J = 0; J < N; ++J)
      A[I * N + J] = 1;
  }
}

// CHECK-LABEL: sequential(
// CHECK: #pragma omp target map(ompx_hold,tofrom: A[0:N])
void sequential(int N, float *A) {
#pragma acc kernels loop seq copy(A[0 : N])
  for (int I = 1; I < N; ++I)
    A[I] += A[I - 1];
}

// CHECK-LABEL: asynchronous(
// CHECK: __accx_acc_wait_async(1, 3);
// CHECK: __accx_async_begin(3);
// CHECK: #pragma omp target data map(ompx_hold,tofrom: A[0:N])
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: __accx_async_end();
void asynchronous(int N, float *A) {
#pragma acc kernels async(3) wait(1) copy(A[0 : N])
  {
#pragma acc loop independent
    for (int I = 0; I < N; ++I)
      A[I] = 2;
#pragma acc loop independent
    for (int I = 0; I < N; ++I)
      A[I] += 2;
  }
}

// An atomic inside a loop that is a region of its own stays one.
// CHECK-LABEL: splitAtomic(
// CHECK: #pragma omp target data map(ompx_hold,tofrom: Bins[0:8])
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: #pragma omp atomic
// CHECK: #pragma omp target
void splitAtomic(int N, int *A, int Bins[8]) {
#pragma acc kernels copy(Bins[0 : 8])
  {
#pragma acc loop independent
    for (int I = 0; I < N; ++I) {
#pragma acc atomic
      Bins[A[I] & 7]++;
    }
    Bins[0] += 1;
  }
}
