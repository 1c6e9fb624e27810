// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that are said to be independent, and certainly are not.
//
// RUN: %accx_syntax -Xclang -verify %s

// clang-format off
void wrong(int N, double *A, double *B, double (*C)[8]) {
#pragma acc parallel loop
  // expected-warning@-1 {{iterations run at the same time, but 'A[I - 1]' (line 11) is what another iteration writes as 'A[I]' (line 11); say 'seq'}}
  for (int I = 1; I < N; ++I)
    A[I] = A[I - 1] + B[I];
#pragma acc kernels loop independent
  // expected-warning@-1 {{'A[I + 1]' (line 15) is what another iteration writes as 'A[I]'}}
  for (int I = 0; I < N; ++I)
    A[I] = A[I + 1];
#pragma acc parallel loop
  // expected-warning@-1 {{all iterations write 'A[0]' (line 19)}}
  for (int I = 1; I < N; ++I)
    A[0] = B[I];
#pragma acc parallel loop gang
  // expected-warning@-1 {{'C[I - 1][J]' (line 24) is what another iteration writes as 'C[I][J]'}}
  for (int I = 1; I < N; ++I)
    for (int J = 0; J < 8; ++J)
      C[I][J] = C[I - 1][J];
#pragma acc parallel loop
  // expected-warning@-1 {{'A[I + 4]' (line 28)}}
  for (int I = 0; I < 5; ++I)
    A[I] = A[I + 4];
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I) {
#pragma acc loop vector
    // expected-warning@-1 {{'C[I][J - 1]' (line 34)}}
    for (int J = 1; J < 8; ++J)
      C[I][J] += C[I][J - 1];
  }
}

struct Pair {
  double First, Second;
};
struct Rows {
  int Count;
  double Fixed[8], Open[];
};

void members(int N, struct Pair *P, struct Rows *R) {
#pragma acc parallel loop
  for (int I = 1; I < N; ++I)
    P[I].First = P[I - 1].Second;
#pragma acc parallel loop
  for (int I = 0; I < 8; ++I)
    R->Fixed[I] = I;
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
    R->Open[I] *= 2;
}

// One member of one structure, whatever the iteration.
void oneMember(int N, struct Rows *R) {
#pragma acc parallel loop
  // expected-warning@-1 {{all iterations write 'R->Count' (line 63)}}
  for (int I = 0; I < N; ++I)
    R->Count = I;
#pragma acc parallel loop
  // expected-warning@-1 {{all iterations write 'R->Count' (line 67)}}
  for (int I = 0; I < N; ++I)
    R->Count += I;
}

struct Node {
  int Value;
  struct Node *Next;
};

void otherMembers(int N, struct Rows *R, struct Pair *P, struct Node *L) {
  struct Node *To;
#pragma acc parallel loop
  for (int I = 0; I < N; ++I) {
    struct Pair *Mine = &P[I];
    Mine->First = I;
    P[I].Second = I;
  }
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
    if (I == 3)
      R->Count = I;
#pragma acc parallel loop
  for (int I = 0; I < N; ++I) {
#pragma acc atomic
    R->Count += I;
  }
#pragma acc parallel loop private(To)
  for (int I = 0; I < N; ++I) {
    To = L + I;
    To->Value = I;
    To->Next->Value = I;
  }
#pragma acc parallel loop
  for (int I = 0; I < N; ++I) {
    To = L + I;
    To->Value = I;
  }
#pragma acc kernels loop
  for (int I = 0; I < N; ++I)
    R->Count = I;
}

void right(int N, double *A, double *B, double (*C)[8]) {
  double T[8];
#pragma acc parallel loop
  for (int I = 0; I < 4; ++I)
    A[I] = A[I + 4];
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
    if (B[I] > 0)
      A[I] = A[I + 4];
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
    A[2 * I] = A[2 * I + 1];
#pragma acc parallel loop
  for (int I = 0; I < N; I += 2)
    A[I] = A[I + 1];
#pragma acc parallel loop
  for (int I = 0; I < N; ++I) {
    if (I == 0)
      continue;
    A[I] = A[I - 1];
  }
#pragma acc kernels loop
  for (int I = 1; I < N; ++I)
    A[I] = A[I - 1];
#pragma acc parallel loop seq
  for (int I = 1; I < N; ++I)
    A[I] = A[I - 1];
#pragma acc parallel loop auto
  for (int I = 1; I < N; ++I)
    A[I] = A[I - 1];
#pragma acc parallel loop
  for (int I = 1; I < N; ++I) {
#pragma acc atomic
    A[0] += B[I];
  }
#pragma acc parallel loop private(T)
  for (int I = 1; I < N; ++I) {
    T[0] = B[I];
    B[I] = T[0] + 1;
  }
#pragma acc parallel private(T)
  {
#pragma acc loop gang
    for (int I = 0; I < N; ++I) {
#pragma acc loop vector
      for (int J = 0; J < 8; ++J)
        T[J] = C[I][J];
#pragma acc loop vector
      for (int J = 0; J < 8; ++J)
        C[I][J] = T[7 - J];
    }
  }
}
