// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Levels with nothing between them become one collapsed loop on GPUs.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s --implicit-check-not="#pragma omp"

// CHECK-LABEL: threeLevels(
// CHECK: #pragma omp target teams distribute parallel for collapse(3)
void threeLevels(int N, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop worker
    for (int J = 0; J < N; ++J) {
#pragma acc loop vector
      for (int K = 0; K < N; ++K)
        A[(I * N + J) * N + K] += 1;
    }
}

// CHECK-LABEL: collapsedOuter(
// CHECK: #pragma omp target teams distribute parallel for collapse(3)
void collapsedOuter(int N, float (*A)[N][N]) {
#pragma acc parallel loop gang collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
#pragma acc loop vector
      for (int K = 0; K < N; ++K)
        A[I][J][K] += 1;
}

// CHECK-LABEL: sameReduction(
// CHECK: #pragma omp target teams distribute parallel for {{.*}}reduction(max: E){{.*}} collapse(2)
float sameReduction(int N, float *A) {
  float E = 0;
#pragma acc parallel loop gang reduction(max : E)
  for (int I = 0; I < N; ++I)
#pragma acc loop vector reduction(max : E)
    for (int J = 0; J < N; ++J)
      E = A[I * N + J] > E ? A[I * N + J] : E;
  return E;
}

// CHECK-LABEL: countersOutside(
// CHECK: #pragma omp target teams distribute parallel for collapse(2)
void countersOutside(int N, float *A) {
  int I, J;
#pragma acc parallel loop gang
  for (I = 0; I < N; ++I)
#pragma acc loop vector
    for (J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: codeBetween(
// CHECK: #pragma omp target teams distribute num_teams
// CHECK: #pragma omp parallel for
void codeBetween(int N, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I) {
    A[I] = 0;
#pragma acc loop vector
    for (int J = 0; J < N; ++J)
      A[(I + 1) * N + J] += 1;
  }
}

// CHECK-LABEL: rowsOfAnyLength(
// CHECK: #pragma omp target teams distribute num_teams
// CHECK: #pragma omp parallel for
void rowsOfAnyLength(int N, const int *Begin, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop vector
    for (int J = Begin[I]; J < Begin[I + 1]; ++J)
      A[J] += 1;
}

// CHECK-LABEL: boundInMemory(
// CHECK: #pragma omp target teams distribute num_teams
// CHECK: #pragma omp parallel for
void boundInMemory(int N, const int *M, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop vector
    for (int J = 0; J < *M; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: triangle(
// CHECK: #pragma omp target teams distribute num_teams
// CHECK: #pragma omp parallel for
void triangle(int N, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop vector
    for (int J = 0; J < I; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: sequentialBetween(
// CHECK: #pragma omp target teams distribute num_teams
// CHECK: #pragma omp parallel for
void sequentialBetween(int N, float *A) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
    for (int J = 1; J < N; ++J)
#pragma acc loop vector
      for (int K = 0; K < N; ++K)
        A[(I * N + J) * N + K] += A[(I * N + J - 1) * N + K];
}

// CHECK-LABEL: rowSums(
// CHECK: #pragma omp target teams distribute num_teams
// CHECK: #pragma omp parallel for reduction(+: S)
void rowSums(int N, const float *A, float *B) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I) {
    float S = 0;
#pragma acc loop vector reduction(+ : S)
    for (int J = 0; J < N; ++J)
      S += A[I * N + J];
    B[I] = S;
  }
}

// CHECK-LABEL: otherReduction(
// CHECK: #pragma omp target teams distribute {{.*}}num_teams
// CHECK: #pragma omp parallel for {{.*}}reduction(+: S)
float otherReduction(int N, const float *A) {
  float S = 0;
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop vector reduction(+ : S)
    for (int J = 0; J < N; ++J)
      S += A[I * N + J];
  return S;
}

// CHECK-LABEL: chunksOfGangs(
// CHECK: #pragma omp target teams distribute {{.*}}dist_schedule(static, 2)
// CHECK: #pragma omp parallel for
void chunksOfGangs(int N, float *A) {
#pragma acc parallel loop gang(static : 2)
  for (int I = 0; I < N; ++I)
#pragma acc loop vector
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: privateOfVector(
// CHECK: #pragma omp target teams distribute num_teams
// CHECK: #pragma omp parallel for {{.*}}private(T)
void privateOfVector(int N, float *A) {
  float T;
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I)
#pragma acc loop vector private(T)
    for (int J = 0; J < N; ++J) {
      T = A[I * N + J];
      A[I * N + J] = T * T;
    }
}
