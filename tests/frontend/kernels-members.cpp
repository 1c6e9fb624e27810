// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of kernels whose arrays are members: what may overlap is compared at
// run time, also with the members that the loop reads.
//
// RUN: %accx_print -x c++ -Wno-everything %s | FileCheck %s
// RUN: %accx_syntax -x c++ -Wno-everything -Rpass-missed=accx \
// RUN:   -Xclang -verify %s
// RUN: %plainclang++ -Wno-everything %s -o %t.serial
// RUN: %t.serial > %t.expected
// RUN: %accxcxx -O2 -Wall %s -o %t
// RUN: %run %t | cmp %t.expected -
#include <cstdio>

// clang-format off
struct Grid {
  int N, M;
  double Dx;
  double *A, *B;
  int *At;
  unsigned char *Image;
  double Fixed[100];
};

// CHECK-LABEL: void scale(
// CHECK: if ((__accx_high_S__A <= __accx_low_S__B || __accx_high_S__B <= __accx_low_S__A) && (__accx_high_S__A <= __accx_low_S__Dx_ || __accx_high_S__Dx_ <= __accx_low_S__A)) {
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: } else {
// CHECK: #pragma omp target map
static void scale(Grid *S) {
#pragma acc kernels copyin(S[0:1]) copy(S->A[0:S->N]) copyin(S->B[0:S->N])
  for (int I = 0; I < S->N; ++I)
    S->A[I] = S->B[I] * S->Dx;
}

// CHECK-LABEL: void between(
// CHECK: if ((__accx_high_S__A <= __accx_low_T__A
// CHECK: #pragma omp target teams distribute parallel for
static void between(Grid *S, Grid *T) {
#pragma acc kernels copyin(S[0:1], T[0:1]) copy(S->A[0:S->N], T->A[0:S->N])
  for (int I = 0; I < S->N; ++I)
    S->A[I] = T->A[I] + 1;
}

// One array by rows: nothing to compare.
// CHECK-LABEL: void rows(
// CHECK-NOT: __accx_low
// CHECK: #pragma omp target teams distribute
// CHECK-LABEL: void fixed(
static void rows(Grid *S) {
#pragma acc kernels copyin(S[0:1]) copy(S->A[0:S->N * S->M])
  for (int J = 0; J < S->N; ++J)
    for (int I = 0; I < S->M; ++I)
      S->A[J * S->M + I] += J;
}

// CHECK-NOT: __accx_low
// CHECK: #pragma omp target teams distribute parallel for
// CHECK-LABEL: void counts(
static void fixed(Grid *S) {
#pragma acc kernels copy(S[0:1])
  for (int I = 0; I < 100; ++I)
    S->Fixed[I] = S->Dx * I;
}

// Elements of the type of a member, and of a type that may be any.
// CHECK: __accx_low_S__At = __accx_place
// CHECK: #pragma omp target teams distribute parallel for
static void counts(Grid *S) {
#pragma acc kernels copyin(S[0:1]) copy(S->At[0:100])
  for (int I = 0; I < 100; ++I)
    S->At[I] = S->N;
}
// CHECK-LABEL: void image(
// CHECK: if ((__accx_high_S__Image <= __accx_low_S__Image_ ||
// CHECK: #pragma omp target teams distribute parallel for
static void image(Grid *S) {
#pragma acc kernels copyin(S[0:1]) copy(S->Image[0:100])
  for (int I = 0; I < 100; ++I)
    S->Image[I] = I;
}

class Field {
public:
  int N;
  double Dx, *A, *B;

  // CHECK-LABEL: void step()
  // CHECK: if ((__accx_high_this__A <= __accx_low_this__B
  // CHECK: #pragma omp target teams distribute parallel for
  void step() {
#pragma acc kernels copy(A[0:N]) copyin(B[0:N])
    for (int I = 1; I < N - 1; ++I)
      A[I] = B[I - 1] + B[I + 1];
  }
};

struct Wide : Field {
  int More;
  // CHECK-LABEL: void add()
  // CHECK: #pragma omp target teams distribute parallel for
  void add() {
#pragma acc kernels copy(A[0:N])
    for (int I = 0; I < N; ++I)
      A[I] += More;
  }
};

// CHECK-LABEL: void byValue(
// CHECK: if ((__accx_high_G_A <= __accx_low_G_B
// CHECK: #pragma omp target teams distribute parallel for
static void byValue(Grid G) {
#pragma acc kernels copy(G.A[0:G.N]) copyin(G.B[0:G.N])
  for (int I = 0; I < G.N; ++I)
    G.A[I] = G.B[I] + 2;
}

// What stays in order says why.
void refused(Grid *S, Grid **All, int N) {
#pragma acc kernels copy(S[0:1])
  // expected-remark@+1 {{loop runs sequentially: 'S->N' (line 122) is written by all iterations}}
  for (int I = 0; I < N; ++I)
    S->N = I;
#pragma acc kernels copy(S[0:1])
  // expected-remark@+1 {{loop runs sequentially: 'S->A[I - 1]' (line 126) and 'S->A[I]' (line 126), which is written, may be one element in two iterations}}
  for (int I = 1; I < N; ++I)
    S->A[I] = S->A[I - 1];
#pragma acc kernels
  // expected-remark@+1 {{loop runs sequentially: 'All[I]->A[0]' (line 130) is written at a place that is not known}}
  for (int I = 0; I < N; ++I)
    All[I]->A[0] = 1;
#pragma acc kernels
  // expected-remark@+1 {{loop runs sequentially: 'T->A[I]' (line 135) is written at a place that is not known}}
  for (int I = 0; I < N; ++I) {
    Grid *T = All[I];
    T->A[I] = 1;
  }
#pragma acc kernels copy(S[0:1])
  {
    S->N = 7;
    // The host's S->N is another one.
    // expected-remark@+1 {{loop runs sequentially: 'S->B[I]' (line 143) may be what 'S->A[I]' (line 143) writes}}
    for (int I = 0; I < S->N; ++I)
      S->A[I] = S->B[I];
  }
}

static double Memory[400];
static int Numbers[100];
static unsigned char Bytes[100];

int main() {
  Grid S = {10, 10, 2, Memory, Memory + 100, Numbers, Bytes, {0}}, T = S;
  for (int I = 0; I < 400; ++I)
    Memory[I] = I;
  scale(&S);
  std::printf("%g %g\n", Memory[9], Memory[10]);
  S.B = Memory + 3; // ahead of what is written
  scale(&S);
  std::printf("%g %g %g\n", Memory[0], Memory[6], Memory[9]);
  S.B = Memory - 0;
  S.A = Memory + 1; // every iteration needs the one before
  scale(&S);
  std::printf("%g %g %g\n", Memory[0], Memory[1], Memory[10]);
  S.A = Memory + 200;
  between(&S, &T);
  T.A = Memory + 199;
  between(&S, &T);
  std::printf("%g %g %g\n", Memory[199], Memory[200], Memory[209]);
  rows(&S);
  fixed(&S);
  counts(&S);
  image(&S);
  std::printf("%g %g %d %d\n", Memory[299], S.Fixed[99], Numbers[99], Bytes[99]);
  Wide F;
  F.N = 50;
  F.A = Memory + 300;
  F.B = Memory + 301;
  F.More = 1;
  F.step();
  F.add();
  std::printf("%g %g\n", Memory[300], Memory[301]);
  S.B = Memory + 240;
  byValue(S);
  std::printf("%g\n", Memory[200]);
  return 0;
}
