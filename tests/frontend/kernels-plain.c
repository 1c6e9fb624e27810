// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kernels around loops without directives: what is proven runs in parallel,
// with the reductions that are found.
//
// RUN: %accx_print -Wno-everything -mllvm -accx-merge-levels=0 %s | \
// RUN:   FileCheck %s --implicit-check-not="#pragma omp"

double fmax(double, double);
double fabs(double);

// CHECK-LABEL: jacobi(
// CHECK: #pragma omp target data map(ompx_hold,tofrom: A[0:N][0:M]) map(ompx_hold,alloc: New[0:N][0:M]) map(ompx_hold,tofrom: Error)
// CHECK: #pragma omp target teams distribute parallel for num_teams(__accx_gangs(0)) map(tofrom: Error) reduction(max: Error)
// CHECK: #pragma omp simd reduction(max: Error)
// CHECK: #pragma omp target teams distribute parallel for num_teams(__accx_gangs(0))
// CHECK: #pragma omp simd
double jacobi(int N, int M, double (*restrict A)[M],
              double (*restrict New)[M]) {
  double Error = 0;
#pragma acc kernels copy(A[0 : N][0 : M]) create(New[0 : N][0 : M])
  {
    for (int J = 1; J < N - 1; ++J)
      for (int I = 1; I < M - 1; ++I) {
        New[J][I] =
            0.25 * (A[J][I + 1] + A[J][I - 1] + A[J - 1][I] + A[J + 1][I]);
        Error = fmax(Error, fabs(New[J][I] - A[J][I]));
      }
    for (int J = 1; J < N - 1; ++J)
      for (int I = 1; I < M - 1; ++I)
        A[J][I] = New[J][I];
  }
  return Error;
}

// CHECK-LABEL: oneLoop(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: A[0:N])
void oneLoop(int N, float *A) {
#pragma acc kernels copy(A[0 : N])
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

// The variable of a loop of C89 is needed behind the construct.
// CHECK-LABEL: indexNeeded(
// CHECK: #pragma omp target map(ompx_hold,tofrom: A[0:N]) map(tofrom: I)
int indexNeeded(int N, float *A) {
  int I;
#pragma acc kernels copy(A[0 : N])
  for (I = 0; I < N; ++I)
    A[I] += 1;
  return I;
}

// CHECK-LABEL: indexReused(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: A[0:N])
int indexReused(int N, float *A) {
  int I, S = 0;
#pragma acc kernels copy(A[0 : N])
  for (I = 0; I < N; ++I)
    A[I] += 1;
  for (I = 0; I < N; ++I)
    S += A[I];
  return S;
}

// CHECK-LABEL: valueNeeded(
// CHECK: #pragma omp target map(ompx_hold,tofrom: A[0:N]) map(tofrom: T)
float valueNeeded(int N, float *A) {
  float T = 0;
#pragma acc kernels copy(A[0 : N])
  for (int I = 0; I < N; ++I) {
    T = A[I];
    A[I] = T * T;
  }
  return T;
}

// All iterations would assign the one on the device.
// CHECK-LABEL: valueShared(
// CHECK: #pragma omp target map(ompx_hold,tofrom: A[0:N]) map(ompx_hold,alloc: T)
void valueShared(int N, float *A) {
  float T = 0;
#pragma acc kernels copy(A[0 : N]) create(T)
  for (int I = 0; I < N; ++I) {
    T = A[I];
    A[I] = T * T;
  }
}

// CHECK-LABEL: steps(
// CHECK: #pragma omp target map(ompx_hold,tofrom: A[0:N])
// CHECK: #pragma omp parallel for
void steps(int N, int Steps, float *A) {
#pragma acc kernels copy(A[0 : N])
  for (int T = 0; T < Steps; ++T)
    for (int I = 0; I < N; ++I)
      A[I] += T;
}

// CHECK-LABEL: convergence(
// CHECK: #pragma omp target map(ompx_hold,tofrom: A[0:N]) map(tofrom: S)
// CHECK: #pragma omp parallel for reduction(+: S)
double convergence(int N, double *A) {
  double S = 1;
#pragma acc kernels copy(A[0 : N])
  while (S > 0.5) {
    S = 0;
    for (int I = 0; I < N; ++I) {
      A[I] *= 0.5;
      S += A[I];
    }
  }
  return S;
}

// What is inside of a parallel loop and not tight runs in its iteration.
// CHECK-LABEL: product(
// CHECK: #pragma omp target teams distribute map(ompx_hold,from: C[0:N * N]) map(ompx_hold,to: A[0:N * N]) map(ompx_hold,to: B[0:N * N]) num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for
void product(int N, double *restrict C, const double *restrict A,
             const double *restrict B) {
#pragma acc kernels copyout(C[0 : N * N]) copyin(A[0 : N * N], B[0 : N * N])
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      double S = 0;
      for (int K = 0; K < N; ++K)
        S += A[I * N + K] * B[K * N + J];
      C[I * N + J] = S;
    }
}

// A loop with its own directive is left as it is, with all in it.
// CHECK-LABEL: ownDirective(
// CHECK: #pragma omp target map(ompx_hold,tofrom: A[0:N * N])
void ownDirective(int N, float *A) {
#pragma acc kernels copy(A[0 : N * N])
  {
#pragma acc loop seq
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J)
        A[I * N + J] += 1;
  }
}

// Each step cuts off: sums of parts are another value.
// CHECK-LABEL: cutOff(
// CHECK: #pragma omp target map(ompx_hold,to: A[0:N]) map(tofrom: S)
int cutOff(int N, double *A) {
  int S = 0;
#pragma acc kernels copyin(A[0 : N])
  for (int I = 0; I < N; ++I)
    S += A[I];
  return S;
}

// CHECK-LABEL: lastIndex(
// CHECK: #pragma omp target map(ompx_hold,to: A[0:N]) map(tofrom: {{(Max|At)}}) map(tofrom: {{(Max|At)}})
int lastIndex(int N, double *A) {
  double Max = 0;
  int At = 0;
#pragma acc kernels copyin(A[0 : N])
  for (int I = 0; I < N; ++I)
    if (A[I] > Max) {
      Max = A[I];
      At = I;
    }
  return At;
}
