// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// collapse, tile, private, firstprivate and the gang arguments on loops.
//
// RUN: %accx_print -Wno-everything -mllvm -accx-merge-levels=0 %s | \
// RUN:   FileCheck %s --implicit-check-not="#pragma omp"

// CHECK-LABEL: collapse(
// CHECK: #pragma omp target teams distribute parallel for collapse(2)
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for collapse(2)
void collapse(int N, float A[64][64]) {
#pragma acc parallel loop collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      A[I][J] += 1;
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop vector collapse(2)
    for (int J = 0; J < N; ++J)
      for (int K = 0; K < N; ++K)
        A[I][J] += K;
}

// Clang loses the length of a variable-length array on the way into a parallel
// region inside a team's loop, in code for GPUs: gangs become workers, whose
// vector loops may run across lanes.
// CHECK-LABEL: variableLength(
// CHECK: #pragma omp target teams distribute parallel for num_teams(__accx_gangs(0)){{ *$}}
// CHECK-NEXT: for (int I
// CHECK-NEXT: #pragma omp simd{{ *$}}
// CHECK-NEXT: for (int J
void variableLength(int N, float A[N][N]) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop vector
    for (int J = 0; J < N; ++J)
      A[I][J] += J;
}

// CHECK-LABEL: collapseForce(
// CHECK: #pragma omp target teams distribute parallel for
void collapseForce(int N, float A[N][N]) {
#pragma acc parallel loop collapse(force : 2)
  for (int I = 0; I < N; ++I) {
    float T = I;
    for (int J = 0; J < N; ++J)
      A[I][J] += T;
  }
}

// CHECK-LABEL: tile(
// CHECK: #pragma omp target teams distribute parallel for collapse(2)
// CHECK: #pragma omp tile sizes(8, 4)
// CHECK: #pragma omp target teams distribute parallel for collapse(1)
// CHECK: #pragma omp tile sizes(16)
// CHECK: #pragma omp target teams distribute parallel for collapse(2)
// CHECK: #pragma omp tile sizes(8, 16)
void tile(int N, float A[N][N]) {
#pragma acc parallel loop tile(8, 4)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      A[I][J] += 1;
#pragma acc parallel loop tile(*)
  for (int I = 0; I < N; ++I)
    A[I][0] += 1;
#pragma acc parallel loop gang tile(8, *) vector
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      A[I][J] += 1;
}

// CHECK-LABEL: private(
// CHECK: #pragma omp target teams distribute parallel for private(T) private(U)
// CHECK: #pragma omp target teams num_teams(__accx_gangs(0)) private(T)
// CHECK: #pragma omp distribute parallel for private(U)
void private(int N, float *A) {
  float T, U[4];
#pragma acc parallel loop private(T, U)
  for (int I = 0; I < N; ++I) {
    T = A[I];
    U[I % 4] = T;
    A[I] = U[I % 4];
  }
#pragma acc parallel private(T)
  {
    T = 1;
#pragma acc loop gang vector private(U)
    for (int I = 0; I < N; ++I) {
      U[0] = T;
      A[I] = U[0];
    }
  }
}

// CHECK-LABEL: privateInner(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for private(T)
void privateInner(int N, float *A) {
  float T;
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I) {
#pragma acc loop vector private(T)
    for (int J = 0; J < N; ++J) {
      T = I + J;
      A[I * N + J] = T;
    }
  }
}

// CHECK-LABEL: firstprivate(
// CHECK: #pragma omp target teams distribute parallel for firstprivate(T) firstprivate(U)
// CHECK: #pragma omp target firstprivate(T)
void firstprivate(int N, float *A, float T) {
  float U[4] = {1, 2, 3, 4};
#pragma acc parallel loop firstprivate(T, U)
  for (int I = 0; I < N; ++I) {
    T += U[I % 4];
    A[I] = T;
  }
#pragma acc serial firstprivate(T)
  A[0] = T;
}

// CHECK-LABEL: gangArguments(
// CHECK: #pragma omp target teams distribute parallel for dist_schedule(static, 4)
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: #pragma omp target teams distribute parallel for num_teams(__accx_gangs((8))) thread_limit((64))
// CHECK: #pragma omp target teams distribute parallel for
void gangArguments(int N, float *A) {
#pragma acc parallel loop gang(static : 4)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc parallel loop gang(static : *)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc kernels loop independent gang(8) vector(64)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc parallel loop gang(dim : 1)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}
