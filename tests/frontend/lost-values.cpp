// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a template a call's argument may be passed by reference, as far as is
// known: that alone is no assignment that would get lost.
//
// RUN: %accx_syntax -Xclang -verify %s

// clang-format off
template <typename T> int nearest(const T *Points, int Count) {
  return Points[0] < Count;
}

template <typename T> int passes(const T *Points, int Count, int N) {
  int Sum = 0;
#pragma acc parallel loop reduction(+:Sum) copyin(Points[0:N])
  for (int I = 0; I < N; ++I)
    Sum += nearest(&Points[I], Count);
  return Sum + Count;
}

template <typename T> int assigns(const T *Points, int Count, int N) {
  int Sum = 0;
#pragma acc parallel loop reduction(+:Sum) copyin(Points[0:N])
// expected-warning@-1 {{'Count'}}
  for (int I = 0; I < N; ++I) {
    Sum += nearest(&Points[I], Count);
    Count = I;
  }
  return Sum;
}
int use(const double *Points) {
  return passes(Points, 4, 10) + assigns(Points, 4, 10);
}
