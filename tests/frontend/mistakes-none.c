// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours of the mistakes in tests/programs/mistakes that are none: no
// warning for any of them.
// RUN: %accx_syntax -Xclang -verify %s
// RUN: %accx_syntax -Wno-everything -DWRONG -Xclang -verify %s
// expected-no-diagnostics

// clang-format off
typedef __SIZE_TYPE__ size_t;
void *malloc(size_t);
void use(double *);
#pragma acc routine seq
double declared(double);
double later(double X);
#pragma acc routine(later) seq

static const double Table[3] = {1, 2, 3};
double Global;
#pragma acc declare create(Global)
#pragma acc routine seq
double reads(int I) { return Table[I % 3] + Global; }

typedef struct { int N; double *V; } Field;

// Counters of loops are private, also where a data clause names them.
void namedCounters(double *A, int N) {
  int I, J, K;
#pragma acc data copy(A[0 : N * N * N]) create(I, J, K)
  {
#pragma acc parallel loop
    for (I = 0; I < N; I++) {
#pragma acc loop
      for (J = 0; J < N; J++) {
#pragma acc loop
        for (K = 0; K < N; K++)
          A[(I * N + J) * N + K] += 1;
      }
    }
  }
}

// Memory that begins as zeros may be read first.
void zeroed(void) {
  double A[100], B[100];
#pragma acc parallel loop copyout(zero : A) create(zero : B)
  for (int I = 0; I < 100; ++I)
    A[I] += B[I] + I;
  use(A);
}

// What is queued has been waited for, one way or another.
void waited(int Some, int Queue) {
  double A[100], B[100], C[100], D[100], E[100];
#pragma acc enter data create(A, B, C, D, E)
#pragma acc parallel loop present(A, B, C, D, E)
  for (int I = 0; I < 100; ++I)
    A[I] = B[I] = C[I] = D[I] = E[I] = I;
#pragma acc update self(A) async
#pragma acc wait
  use(A);
  A[1] = A[0];
#pragma acc update self(B) async(2) wait
#pragma acc wait(2)
  B[1] = B[0];
#pragma acc update self(C) async(3)
#pragma acc update self(D) async(3) wait(2)
  if (Some)
#pragma acc wait(3)
    ;
  C[1] = C[0] + D[0];
#pragma acc update self(E) async(5)
#pragma acc wait(Queue) if (Some)
  E[1] = E[0];
#pragma acc exit data delete(A, B, C, D, E)
}

// Data that another construct holds: the clause's copies have no effect.
void held(void) {
  double A[100], B[100];
#pragma acc data copy(A) create(B)
  {
#pragma acc parallel loop copyin(A) copyout(B)
    for (int I = 0; I < 100; ++I) {
      B[I] += A[I];
      A[I] = B[I];
    }
#pragma acc update self(A)
    A[0] = A[1];
#pragma acc update device(A)
#pragma acc parallel loop
    for (int I = 0; I < 100; ++I)
      A[I] += 1;
  }
  A[2] = A[3];
}

// Written before it is read; lent to a function; private arrays of the loop.
void written(double *P, int N) {
  double A[100], W[4], T;
#pragma acc parallel loop copyout(A) private(W, T)
  for (int I = 0; I < 100; ++I) {
    for (int K = 0; K < 4; ++K)
      W[K] = I;
    T = W[0];
    A[I] = T;
    A[I] += declared(A[I]) + later(T) + reads(I);
  }
  double *Q = malloc(N * sizeof *Q);
  use(Q);
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
    Q[I] = P[I];
}

// Bounds that a condition or a jump keeps.
void bounds(void) {
  double A[10];
#pragma acc parallel loop copy(A)
  for (int I = 0; I < 20; ++I) {
    if (I < 10)
      A[I] = 1;
    double X = I < 10 ? A[I] : 0, T[10];
    for (int K = 0; K < 20; ++K) {
      if (K == 10)
        break;
      T[K] = X;
    }
  }
}

// Counters of other loops; sequential loops; loops that several gangs share.
void counters(double *A, int N) {
#pragma acc parallel loop copy(A[0:N])
  for (int I = 0; I < N; ++I) {
    int K = 0;
    while (K < 3)
      ++K;
    A[I] = K;
  }
#pragma acc parallel copy(A[0:N])
  {
#pragma acc loop seq
    for (int I = 0; I < N; ++I)
      if (A[I] > 0)
        ++I;
  }
#pragma acc parallel num_gangs(1) copy(A[0:N])
  for (int I = 0; I < N; ++I)
    A[I] = 1;
}

// A maximum and a sum with their own clauses.
double reduced(double *A, int N) {
  double M = 0, S = 0;
#pragma acc parallel loop copyin(A[0:N]) reduction(max:M) reduction(+:S)
  for (int I = 0; I < N; ++I) {
    if (A[I] > M)
      M = A[I];
    S -= A[I];
  }
  return M + S;
}

// Members that a clause somewhere maps.
void members(Field F) {
#pragma acc enter data copyin(F, F.V[0:F.N])
#pragma acc parallel loop copy(F)
  for (int I = 0; I < F.N; ++I)
    F.V[I] = I;
}

// The device's address goes to a library.
void addresses(double *A, int N) {
#pragma acc data copy(A[0:N])
  {
#pragma acc host_data use_device(A)
    {
      use(A);
#pragma acc parallel loop deviceptr(A)
      for (int I = 0; I < N; ++I)
        A[I] = I;
    }
  }
}

// The length of a sub-array is no item of the clause.
void lengths_of_sections(double *A, double *Z) {
  int M = 1000, N = 10;
#pragma acc parallel loop copyout(A[0:M]) private(Z[0:N])
  for (int I = 0; I < M; ++I) {
    for (int K = 0; K < N; ++K)
      Z[K] = I;
    A[I] = Z[N - 1];
  }
}

#ifdef WRONG
// Who asks for no warnings gets none.
void wrong(void) {
  double A[100];
#pragma acc parallel loop copyin(A)
  for (int I = 0; I < 100; ++I)
    A[I] = 1;
}
#endif
