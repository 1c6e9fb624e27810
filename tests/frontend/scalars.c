// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalars without a clause: firstprivate to a gang, private to an iteration
// that assigns first, and loop variables of C89.
//
// RUN: %accx_print -Wno-everything -mllvm -accx-merge-levels=0 %s | \
// RUN:   FileCheck %s --implicit-check-not="#pragma omp"

// CHECK-LABEL: onlyRead(
// CHECK: #pragma omp target teams distribute parallel for
void onlyRead(int N, float F, float *A) {
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
    A[I] *= F;
}

// CHECK-LABEL: assignedInIterations(
// CHECK: #pragma omp target teams distribute parallel for private(T)
void assignedInIterations(int N, float *A) {
  float T;
#pragma acc parallel loop
  for (int I = 0; I < N; ++I) {
    T = A[I];
    A[I] = T * T;
  }
}

// CHECK-LABEL: assignedInInner(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0)) private(T)
// CHECK: #pragma omp parallel for private(T)
void assignedInInner(int N, float *A) {
  float T;
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I) {
#pragma acc loop vector
    for (int J = 0; J < N; ++J) {
      T = A[I * N + J];
      A[I * N + J] = T * T;
    }
  }
}

// CHECK-LABEL: assignedInGangUsedInInner(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0)) private(T)
// CHECK: #pragma omp parallel for
void assignedInGangUsedInInner(int N, float *A) {
  float T;
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I) {
    T = I;
#pragma acc loop vector
    for (int J = 0; J < N; ++J)
      A[I * N + J] = T;
  }
}

// CHECK-LABEL: c89(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0)) private(J) private(K)
// CHECK: #pragma omp parallel for private(K)
void c89(int N, float *A) {
  int I, J, K;
#pragma acc parallel loop gang
  for (I = 0; I < N; ++I) {
#pragma acc loop vector
    for (J = 0; J < N; ++J)
      for (K = 0; K < 3; ++K)
        A[I * N + J] += K;
  }
}

// CHECK-LABEL: c89Collapse(
// CHECK: #pragma omp target teams distribute parallel for collapse(2)
void c89Collapse(int N, float *A) {
  int I, J;
#pragma acc parallel loop collapse(2)
  for (I = 0; I < N; ++I)
    for (J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: c89Tile(
// CHECK: #pragma omp target teams distribute parallel for private(I) private(J) collapse(2)
// CHECK: #pragma omp tile sizes(4, 4)
void c89Tile(int N, float *A) {
  int I, J;
#pragma acc parallel loop tile(4, 4)
  for (I = 0; I < N; ++I)
    for (J = 0; J < N; ++J)
      A[I * N + J] += 1;
}

// CHECK-LABEL: c89Sequential(
// CHECK: #pragma omp target teams distribute parallel for private(J)
// CHECK: #pragma omp target
void c89Sequential(int N, float *A) {
  int I, J;
#pragma acc parallel loop gang vector
  for (I = 0; I < N; ++I)
    for (J = 0; J < N; ++J)
      A[I] += J;
#pragma acc serial
  for (I = 0; I < N; ++I)
    A[I] += 1;
}

// CHECK-LABEL: pointerBumped(
// CHECK: #pragma omp target teams distribute parallel for private(P)
void pointerBumped(int N, float *A) {
  float *P;
#pragma acc parallel loop
  for (int I = 0; I < N; ++I) {
    P = A + I;
    *P = 1;
  }
}

// CHECK-LABEL: gangRedundant(
// CHECK: #pragma omp target teams num_teams(__accx_gangs(0)) private(M)
// CHECK: #pragma omp distribute parallel for
void gangRedundant(int N, float *A) {
  int M = 0;
#pragma acc parallel
  {
    M = N / 2;
#pragma acc loop gang vector
    for (int I = 0; I < M; ++I)
      A[I] += 1;
  }
}

// CHECK-LABEL: inData(
// CHECK: #pragma omp target data map(ompx_hold,tofrom: M)
// CHECK: #pragma omp target map(tofrom: M)
// CHECK: #pragma omp target teams distribute parallel for map(tofrom: M)
void inData(int N, float *A) {
  int M = 0;
#pragma acc data copy(M)
  {
#pragma acc serial
    M = N;
#pragma acc parallel loop
    for (int I = 0; I < N; ++I)
      A[I] = M;
  }
}

// A pointer that data hold alone is theirs where a construct assigns it.
// CHECK-LABEL: pointerInData(
// CHECK: #pragma omp target data map(ompx_hold,from: P) map(ompx_hold,to: Q)
// CHECK: #pragma omp target map(tofrom: P){{$}}
// CHECK: #pragma omp target{{$}}
void pointerInData(float *A) {
  float *P, *Q = A;
#pragma acc data copyout(P) copyin(Q)
  {
#pragma acc serial
    P = A;
#pragma acc serial
    *Q = 1;
  }
}
