// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections that leave their array, as far as that is known.
//
// RUN: %accx_syntax -ferror-limit=0 -Xclang -verify %s

// clang-format off
#define N 10
struct S { double V[N]; } G;
double A[100], M[4][5];
void f(int K, double *P, double Q[100]) {
#pragma acc data copy(A[1:100])
  // expected-error@-1 {{'A[1:100]' ends behind the array: 'A' has 100 elements, and the section is 100 elements from element 1 on, which counts from 0}}
  {}
#pragma acc data copyin(M[0:4][0:6])
  // expected-error@-1 {{'M[0:4][0:6]' ends behind the array: 'M' has 5 elements in dimension 2, and the section is 6 elements from element 0 on}}
  // expected-error@-2 {{contiguous}}
  {}
#pragma acc enter data copyin(G.V[N - 2:4])
  // expected-error@-1 {{'G.V' has 10 elements, and the section is 4 elements from element 8 on}}
#pragma acc update self(A[101:1])
  // expected-error@-1 {{'A' has 100 elements, and the section is 1 element from element 101 on}}
#pragma acc parallel loop present(A[0:N * 11])
  // expected-error@-1 {{the section is 110 elements from element 0 on}}
  for (int I = 0; I < N; ++I)
    A[I] = 0;
#pragma acc data copy(P[0:-5])
  // expected-error@-1 {{negative value}}
  {}
#pragma acc data copy(A[-1:5])
  // expected-error@-1 {{subset}}
  {}
// All of these are right, or not known.
#pragma acc data copy(A[0:100], M[0:4][0:5], G.V[0:N], Q[0:200], P[5:1000])
  {}
#pragma acc data copy(A[K:100], M[1:3])
  {}
#pragma acc update self(A[99:1], A[100:0])
}
