// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop directive outside of compute constructs belongs into a routine.
//
// RUN: %accx_syntax -Xclang -verify %s

// clang-format off
void orphan(int N, double *A) {
#pragma acc loop
  // expected-error@-1 {{this loop is in no compute construct, and its function is no routine: write 'parallel loop', or '#pragma acc routine' in front of the function}}
  for (int I = 0; I < N; ++I)
    A[I] = 0;
#pragma acc data copy(A[0:N])
  {
#pragma acc loop seq
    // expected-error@-1 {{this loop is in no compute construct}}
    for (int I = 0; I < N; ++I)
      A[I] = 0;
  }
}

#pragma acc routine seq
void routine(int N, double *A) {
#pragma acc loop
  for (int I = 0; I < N; ++I)
    A[I] = 0;
}

void named(int N, double *A);
#pragma acc routine(named) vector
void named(int N, double *A) {
#pragma acc loop vector
  for (int I = 0; I < N; ++I)
    A[I] = 0;
}

struct S {
  double A[8];
#pragma acc routine seq
  void member() {
#pragma acc loop
    for (int I = 0; I < 8; ++I)
      A[I] = 0;
  }
  void none() {
#pragma acc loop
    // expected-error@-1 {{this loop is in no compute construct}}
    for (int I = 0; I < 8; ++I)
      A[I] = 0;
  }
};

#pragma acc routine seq
template <typename T> void generic(int N, T *A) {
#pragma acc loop
  for (int I = 0; I < N; ++I)
    A[I] = 0;
}
template void generic(int, float *);

// What code for devices calls is a routine without saying so, also through
// another function, and as a lambda.
void inner(int N, double *A) {
#pragma acc loop
  for (int I = 0; I < N; ++I)
    A[I] = 0;
}
void outer(int N, double *A) { inner(N, A); }
void lanes(int N, double *A) {
#pragma acc loop vector
  // expected-error@-1 {{this loop is in no compute construct}}
  for (int I = 0; I < N; ++I)
    A[I] = 0;
}
auto Lambda = [](int N, double *A) {
#pragma acc loop
  for (int I = 0; I < N; ++I)
    A[I] = 0;
};
auto Unused = [](int N, double *A) {
#pragma acc loop
  // expected-error@-1 {{this loop is in no compute construct}}
  for (int I = 0; I < N; ++I)
    A[I] = 0;
};
struct Operator {
  void operator()(int N, double *A) const {
#pragma acc loop
    for (int I = 0; I < N; ++I)
      A[I] = 0;
  }
};
void calls(int N, double *A) {
  auto Local = [](int N, double *A) {
#pragma acc loop
    for (int I = 0; I < N; ++I)
      A[I] = 0;
  };
#pragma acc serial copy(A[0:N])
  {
    outer(N, A);
    lanes(N, A);
    Lambda(N, A);
    Local(N, A);
    Operator()(N, A);
  }
}
