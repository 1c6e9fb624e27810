// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of variable length, members of structures, OpenMP's own directives
// beside OpenACC's, a directive as the last line.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s --implicit-check-not="#pragma omp"

// CHECK-LABEL: vla(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: A[0:N][0:M]) map(ompx_hold,to: B)
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: P[0:N][0:M]) collapse(2)
void vla(int N, int M, float A[N][M]) {
  float B[N], (*P)[M] = A;
#pragma acc parallel loop copy(A[0 : N][0 : M]) copyin(B)
  for (int I = 0; I < N; ++I)
    A[I][0] = B[I];
#pragma acc parallel loop collapse(2) copy(P[0 : N][0 : M])
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      P[I][J] += 1;
}

// CHECK-LABEL: openmpToo(
// CHECK: #pragma omp parallel for
// CHECK: #pragma omp parallel
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: A[0:N])
// CHECK: #pragma omp target data map(ompx_hold,tofrom: A[0:N])
// CHECK: #pragma omp parallel for
// CHECK: #pragma omp target
void openmpToo(int N, float *A) {
#pragma omp parallel for
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma omp parallel
  {
#pragma acc parallel loop copy(A[0 : N])
    for (int I = 0; I < N; ++I)
      A[I] += 1;
  }
#pragma acc data copy(A[0 : N])
  {
#pragma omp parallel for
    for (int I = 0; I < N; ++I)
      A[I] += 1;
#pragma omp target
    A[0] = 1;
  }
}

// CHECK-LABEL: {{struct|class|namespace|union}} S {
struct S {
  int N;
  float *P;
  struct {
    float Q[4];
  } In;
};

// CHECK-LABEL: members(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: V->P[0:V->N]) map(ompx_hold,tofrom: W.In.Q)
void members(struct S *V, struct S W) {
#pragma acc parallel loop copy(V->P[0 : V->N], W.In.Q)
  for (int I = 0; I < V->N; ++I)
    V->P[I] = W.In.Q[I % 4];
}
