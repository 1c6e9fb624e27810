// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions at every position, and of which construct they are.
//
// RUN: %accx_print -Wno-everything -mllvm -accx-merge-levels=0 %s | \
// RUN:   FileCheck %s --implicit-check-not="#pragma omp"

// CHECK-LABEL: everyOperator(
// CHECK: #pragma omp target teams distribute parallel for map(tofrom: And) reduction(&&: And) map(tofrom: AndBits) reduction(&: AndBits) map(tofrom: Max) reduction(max: Max) map(tofrom: Min) reduction(min: Min) map(tofrom: Or) reduction(||: Or) map(tofrom: OrBits) reduction(|: OrBits) map(tofrom: P) reduction(*: P) map(tofrom: S) reduction(+: S) map(tofrom: XorBits) reduction(^: XorBits)
void everyOperator(int N, int *A, float *X) {
  int P = 1, S = 0, AndBits = -1, OrBits = 0, XorBits = 0, And = 1, Or = 0;
  float Max = X[0], Min = X[0];
#pragma acc parallel loop reduction(+ : S) reduction(* : P)                    \
    reduction(max : Max) reduction(min : Min) reduction(& : AndBits)           \
        reduction(| : OrBits) reduction(^ : XorBits) reduction(&& : And)       \
            reduction(|| : Or)
  for (int I = 0; I < N; ++I) {
    S += A[I];
    P *= A[I];
    Max = X[I] > Max ? X[I] : Max;
    Min = X[I] < Min ? X[I] : Min;
    AndBits &= A[I];
    OrBits |= A[I];
    XorBits ^= A[I];
    And = And && A[I];
    Or = Or || A[I];
  }
}

// CHECK-LABEL: onEveryLoop(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0)) map(tofrom: S) reduction(+: S)
// CHECK: #pragma omp parallel for reduction(+: S)
// CHECK: #pragma omp simd reduction(+: S)
void onEveryLoop(int N, float *A, float *R) {
  float S = 0;
#pragma acc parallel loop gang reduction(+ : S)
  for (int I = 0; I < N; ++I) {
#pragma acc loop worker reduction(+ : S)
    for (int J = 0; J < N; ++J) {
#pragma acc loop vector reduction(+ : S)
      for (int K = 0; K < N; ++K)
        S += A[(I * N + J) * N + K];
    }
  }
  *R = S;
}

// The clause on the outer loop alone: the inner loops take part.
// CHECK-LABEL: onOuterLoop(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0)) map(tofrom: S) reduction(+: S)
// CHECK: #pragma omp parallel for reduction(+: S)
void onOuterLoop(int N, float *A, float *R) {
  float S = 0;
#pragma acc parallel loop gang reduction(+ : S)
  for (int I = 0; I < N; ++I) {
#pragma acc loop vector
    for (int J = 0; J < N; ++J)
      S += A[I * N + J];
  }
  *R = S;
}

// Reset in each iteration of the gang loop: a reduction of the inner loop only.
// CHECK-LABEL: resetBetween(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0)) private(S)
// CHECK: #pragma omp parallel for reduction(+: S)
void resetBetween(int N, float *A, float *R) {
  float S;
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I) {
    S = 0;
#pragma acc loop vector reduction(+ : S)
    for (int J = 0; J < N; ++J)
      S += A[I * N + J];
    R[I] = S;
  }
}

// CHECK-LABEL: declaredInside(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// CHECK: #pragma omp parallel for reduction(+: S)
void declaredInside(int N, float *A, float *R) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I) {
    float S = 0;
#pragma acc loop vector reduction(+ : S)
    for (int J = 0; J < N; ++J)
      S += A[I * N + J];
    R[I] = S;
  }
}

// CHECK-LABEL: privateToGang(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0)) private(S)
// CHECK: #pragma omp parallel for reduction(+: S)
void privateToGang(int N, float *A, float *R) {
  float S = 0;
#pragma acc parallel loop gang private(S)
  for (int I = 0; I < N; ++I) {
    S = 0;
#pragma acc loop vector reduction(+ : S)
    for (int J = 0; J < N; ++J)
      S += A[I * N + J];
    R[I] = S;
  }
}

// Nobody resets it: the sum over all gangs although only the inner loop says
// so.
// CHECK-LABEL: innerReducesOuter(
// CHECK: #pragma omp target teams distribute num_teams(__accx_gangs(0)) map(tofrom: S) reduction(+: S)
// CHECK: #pragma omp parallel for reduction(+: S)
void innerReducesOuter(int N, float *A, float *R) {
  float S = 0;
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I) {
#pragma acc loop vector reduction(+ : S)
    for (int J = 0; J < N; ++J)
      S += A[I * N + J];
  }
  *R = S;
}

// CHECK-LABEL: ofTheConstruct(
// CHECK: #pragma omp target teams distribute parallel for map(tofrom: S) reduction(+: S)
// CHECK: #pragma omp target teams num_teams(__accx_gangs((4))) map(tofrom: S) reduction(+: S)
// CHECK: #pragma omp target map(tofrom: S)
void ofTheConstruct(int N, float *A, float *R) {
  float S = 0;
#pragma acc parallel reduction(+ : S)
  {
#pragma acc loop gang vector
    for (int I = 0; I < N; ++I)
      S += A[I];
  }
#pragma acc parallel reduction(+ : S) num_gangs(4)
  S += 1;
#pragma acc serial loop reduction(+ : S)
  for (int I = 0; I < N; ++I)
    S += A[I];
  *R = S;
}

// A gang loop's reduction is copied back without a clause.
// CHECK-LABEL: gangLoopInParallel(
// CHECK: #pragma omp target teams num_teams(__accx_gangs(0)) map(tofrom: S) reduction(+: S) map(tofrom: T) reduction(+: T)
// CHECK: #pragma omp distribute parallel for reduction(+: S)
// CHECK: #pragma omp distribute parallel for reduction(+: T)
void gangLoopInParallel(int N, float *A, float *R) {
  float S = 0, T = 0;
#pragma acc parallel
  {
#pragma acc loop gang vector reduction(+ : S)
    for (int I = 0; I < N; ++I)
      S += A[I];
#pragma acc loop gang vector reduction(+ : T)
    for (int I = 0; I < N; ++I)
      T += A[I];
  }
  *R = S + T;
}

// CHECK-LABEL: withDataClause(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: S) reduction(+: S)
// CHECK: #pragma omp target data map(ompx_hold,tofrom: S)
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,present,alloc: S) reduction(+: S)
// CHECK: #pragma omp target teams distribute parallel for map(tofrom: S) reduction(+: S)
void withDataClause(int N, float *A, float *R) {
  float S = 0;
#pragma acc parallel loop copy(S) reduction(+ : S)
  for (int I = 0; I < N; ++I)
    S += A[I];
#pragma acc data copy(S)
  {
#pragma acc parallel loop present(S) reduction(+ : S)
    for (int I = 0; I < N; ++I)
      S += A[I];
#pragma acc parallel loop reduction(+ : S)
    for (int I = 0; I < N; ++I)
      S += A[I];
  }
  *R = S;
}

// CHECK-LABEL: ofAnArray(
// CHECK: #pragma omp target teams distribute parallel for map(tofrom: S) reduction(+: S)
// CHECK: #pragma omp target teams distribute parallel for map(tofrom: S[0:4]) reduction(+: S[0:4])
void ofAnArray(int N, float *A) {
  float S[4] = {0};
#pragma acc parallel loop reduction(+ : S)
  for (int I = 0; I < N; ++I)
    S[I % 4] += A[I];
#pragma acc parallel loop reduction(+ : S[0 : 4])
  for (int I = 0; I < N; ++I)
    S[I % 4] += A[I];
  A[0] = S[0];
}

// CHECK-LABEL: serialInParallel(
// CHECK: #pragma omp target teams distribute parallel for
void serialInParallel(int N, float *A, float *R) {
  float S = 0;
#pragma acc parallel loop gang vector
  for (int I = 0; I < N; ++I) {
    float T = 0;
#pragma acc loop seq reduction(+ : T)
    for (int J = 0; J < N; ++J)
      T += A[I * N + J];
    R[I] = T;
  }
}
