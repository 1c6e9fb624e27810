// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that get lost in copies of scalars: a clause is missing. What the
// program says, or does not need, is no warning.
//
// RUN: %accx_syntax -Xclang -verify %s
// RUN: %accx_syntax -fplugin-arg-accx-processor -Xclang -verify %s

// clang-format off
double fmax(double, double);

double reductions(int N, double *A, int *K) {
  double S = 0, M = -1, L = 1, P = 1, X = 0;
  int Count = 0, All = -1, Some = 0;
#pragma acc parallel loop copyin(A[0:N])
  // expected-warning@-1 {{what line 17 combines in 'S' is lost: without a clause iterations have copies of it; add 'reduction(+:S)' to this directive}}
  for (int I = 0; I < N; ++I)
    S += A[I];
#pragma acc parallel loop copyin(A[0:N], K[0:N])
  // expected-warning@-1 {{what line 29 combines in 'M' is lost}}
  // expected-warning@-2 {{add 'reduction(min:L)'}}
  // expected-warning@-3 {{add 'reduction(*:P)'}}
  // expected-warning@-4 {{add 'reduction(+:X)'}}
  // expected-warning@-5 {{add 'reduction(+:Count)'}}
  // expected-warning@-6 {{add 'reduction(&:All)'}}
  // expected-warning@-7 {{add 'reduction(|:Some)'}}
  // Of each one message.
  for (int I = 0; I < N; ++I) {
    if (A[I] > M)
      M = A[I];
    L = A[I] < L ? A[I] : L;
    P *= A[I];
    X = X - A[I];
    Count++;
    All &= K[I];
    Some |= K[I];
  }
#pragma acc parallel loop copyin(A[0:N])
  // expected-warning@-1 {{what line 40 combines in 'M' is lost}}
  for (int I = 0; I < N; ++I)
    M = fmax(M, A[I]);
  return S + M + L + P + X + Count + All + Some;
}

void rows(int N, double *A, double *B) {
#pragma acc parallel loop gang copy(B[0:N])
  for (int I = 0; I < N; ++I) {
    double S = 0;
#pragma acc loop vector
    // expected-warning@-1 {{what line 51 combines in 'S' is lost}}
    for (int J = 0; J < N; ++J)
      S += A[J];
    B[I] = S;
  }
}

double behind(int N, double *A, double *B) {
  double T = 0, C = 1;
  int Last = 0, Hits = 0;
#pragma acc parallel loop copy(B[0:N])
  // expected-warning@-1 {{the value that line 63 gives 'T' is lost behind the construct, where each gang has a copy of it; if it is not needed there say 'private(T)'}}
  // expected-warning@-2 {{line 65 assigns 'C', which a later iteration may read: they run at the same time, with copies of it; assign it first in each iteration, or say 'seq'}}
  for (int I = 0; I < N; ++I) {
    T = A[I];
    B[I] = T * T;
    C = C * 0.5 + A[I];
  }
#pragma acc serial copyin(A[0:N])
  // expected-warning@-1 {{the value that line 69 gives 'Last' is lost behind the construct, which has a copy of it; add 'copy(Last)'}}
  Last = A[N - 1];
#pragma acc parallel loop copyin(A[0:N])
  // expected-warning@-1 {{the value that line 75 gives 'Hits' is lost behind the construct, which has a copy of it; add 'copy(Hits)'}}
  for (int I = 0; I < N; ++I)
    if (A[I] > 0) {
#pragma acc atomic
      Hits++;
    }
  return T + Last + Hits;
}

// None of these loses anything.
double Global;
double right(int N, double *A, double *B) {
  double S = 0, T, U = 0, V = 0, W = 0;
  int I, J;
#pragma acc parallel loop reduction(+:S) copyin(A[0:N])
  for (I = 0; I < N; ++I)
    S += A[I];
#pragma acc parallel loop copy(B[0:N])
  for (I = 0; I < N; ++I) {
    T = A[I];
    Global = T;
    for (J = 0; J < 3; ++J)
      T += J;
    B[I] = T + Global;
  }
#pragma acc parallel loop copy(U)
  for (I = 0; I < N; ++I) {
#pragma acc atomic
    U += A[I];
  }
#pragma acc parallel loop private(V)
  for (I = 0; I < N; ++I) {
    V = A[I];
    B[I] = V;
  }
#pragma acc parallel loop seq copy(W)
  for (I = 0; I < N; ++I)
    W = W * 0.5 + A[I];
#pragma acc data copy(W)
  {
#pragma acc serial
    W += 1;
  }
#pragma acc kernels
  for (I = 0; I < N; ++I)
    W = W * 0.5 + A[I];
#pragma acc parallel loop gang reduction(+:S)
  for (I = 0; I < N; ++I) {
#pragma acc loop vector
    for (J = 0; J < N; ++J)
      S += A[J];
  }
  return S + U + V + W;
}

// Each gang has its own, and a gang's iterations run in order.
void ofGang(int N, double *A, double *B) {
  double S = 0;
#pragma acc parallel firstprivate(S)
  {
    double R = 0;
#pragma acc loop gang
    for (int I = 0; I < N; ++I) {
      S += A[I];
      R += S;
      B[I] = S + R;
    }
  }
}

// Nobody reads it.
void unused(int N, double *A) {
  double S = 0;
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
    S += A[I];
}
