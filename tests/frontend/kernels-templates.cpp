// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of kernels in templates: what depends on a parameter is known in the
// instances, and counts where all of them agree.
//
// RUN: %accx_syntax -x c++ -std=c++17 -Wno-everything -Rpass-missed=accx \
// RUN:   -Rpass=accx -Xclang -verify %s
// RUN: %plainclang++ -std=c++17 -Wno-everything %s -o %t.serial
// RUN: %t.serial > %t.expected
// RUN: %accxcxx -std=c++17 -O1 -Wall %s -o %t
// RUN: %run %t | cmp %t.expected -
#include <cstdio>

// clang-format off
template <class T> T sum(int N, T *A) {
  T S = 0;
#pragma acc kernels copyin(A[0:N])
  // expected-remark@-1 {{'kernels' becomes 'target teams distribute parallel for' map(ompx_hold, to: A[0:N]) map(tofrom: S) reduction(+: S)}}
  for (int I = 0; I < N; ++I)
    S += A[I];
  return S;
}

template <class T> void axpy(int N, T F, T *X, T *Y) {
#pragma acc kernels copyin(X[0:N]) copy(Y[0:N])
  // expected-remark@-1 {{'kernels' becomes 'target teams distribute parallel for'}}
  // expected-remark@+1 {{where memory does not overlap, which is checked at run time: else 'X[I]'}}
  for (int I = 0; I < N; ++I)
    Y[I] += F * X[I];
}

// Written, and no reduction: the host gets its value.
template <class T> T last(int N, T *A) {
  T S = 0;
#pragma acc kernels copyin(A[0:N])
  // expected-remark@-1 {{'kernels' becomes 'target' map(ompx_hold, to: A[0:N]) map(tofrom: S)}}
  // expected-remark@+1 {{loop runs sequentially: 'S' (line 33) carries a value from one iteration to the next}}
  for (int I = 0; I < N; ++I)
    S = S / 2 + A[I];
  return S;
}

template <class T, int Count> struct Vector {
  T Fixed[Count];
  T *A;
  T total() const {
    T S = 0;
#pragma acc kernels loop copyin(A[0:Count])
    // expected-remark@-1 {{'kernels loop' becomes 'target teams distribute parallel for'}}
    for (int I = 0; I < Count; ++I)
      S += A[I];
    return S;
  }
  void fill(T Value) {
#pragma acc kernels copy(Fixed)
    // expected-remark@-1 {{'kernels' becomes 'target teams distribute parallel for'}}
    for (int I = 0; I < Count; ++I)
      Fixed[I] = Value;
  }
};

// Sums that cut off in one of the instances.
template <class T> T scaled(int N, double *A) {
  T S = 0;
#pragma acc kernels copyin(A[0:N])
  // expected-remark@-1 {{'kernels' becomes 'target'}}
  // expected-remark@+1 {{loop runs sequentially: 'S' (line 63) carries a value}}
  for (int I = 0; I < N; ++I)
    S += A[I];
  return S;
}

// An operator of the program's own may do anything.
struct Counted {
  double Value;
  Counted &operator=(double To) {
    Value += To;
    return *this;
  }
};
template <class T> void assign(int N, T *A) {
#pragma acc kernels copy(A[0:N])
  // expected-remark@-1 {{'kernels' becomes 'target'}}
  // expected-remark@+1 {{loop runs sequentially: the call 'A[I] = 1.}}
  for (int I = 0; I < N; ++I)
    A[I] = 1.;
}
template void assign(int, double *);
template void assign(int, Counted *);

int main() {
  double D[20], E[20] = {};
  int K[20];
  for (int I = 0; I < 20; ++I)
    D[I] = K[I] = I;
  std::printf("%g %d\n", sum(20, D), sum(20, K));
  axpy(20, 2., D, E);
  std::printf("%g\n", E[19]);
  axpy(19, 1., E, E + 1);
  std::printf("%g\n", E[19]);
  std::printf("%g %d\n", last(20, D), last(20, K));
  Vector<double, 20> V = {{}, D};
  V.fill(3);
  std::printf("%g %g\n", V.Fixed[19], V.total());
  D[3] = .5;
  D[4] = .5;
  std::printf("%g %d\n", scaled<double>(20, D), scaled<int>(20, D));
  return 0;
}
