// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two queues attach and copy members of one struct in turns: different members
// need no order, one member has the program's order where waits say it.

// RUN: %accxcc %s -o %t
// RUN: %run %t
// RUN: env ACCX_DIRECTORY=fused %run %t
// RUN: env ACCX_HOST_UNIFIED=1 %run %t

#include <stdio.h>
#include <stdlib.h>

enum { N = 1000, Rounds = 99 };
struct Members {
  double *A, *B;
};

static int wrong(const char *What, const double *Got, const double *Want) {
  for (int I = 0; I < N; ++I)
    if (Got[I] != Want[I]) {
      printf("%s[%d] is %g instead of %g\n", What, I, Got[I], Want[I]);
      return 1;
    }
  return 0;
}

int main(void) {
  struct Members M = {malloc(N * sizeof(double)), malloc(N * sizeof(double))};
  double A[N], B[N];
  for (int I = 0; I < N; ++I) {
    A[I] = M.A[I] = I;
    B[I] = M.B[I] = 2 * I;
  }
#pragma acc enter data copyin(M)
  for (int Round = 0; Round < Rounds; ++Round)
    if (Round % 2) {
#pragma acc parallel loop copy(M.A[0 : N]) async(1)
      for (int I = 0; I < N; ++I)
        M.A[I] = M.A[I] * 1.01 + Round;
    } else {
#pragma acc parallel loop copy(M.B[0 : N]) async(0)
      for (int I = 0; I < N; ++I)
        M.B[I] = M.B[I] * 1.01 + Round;
    }
#pragma acc wait
  for (int Round = 0; Round < Rounds; ++Round)
    for (int I = 0; I < N; ++I)
      if (Round % 2)
        A[I] = A[I] * 1.01 + Round;
      else
        B[I] = B[I] * 1.01 + Round;
  if (wrong("A", M.A, A) || wrong("B", M.B, B))
    return 1;

  for (int Round = 0; Round < Rounds; ++Round) {
#pragma acc parallel loop copy(M.A[0 : N]) async(Round % 2)                    \
    wait((Round + 1) % 2)
    for (int I = 0; I < N; ++I)
      M.A[I] = M.A[I] * 1.01 + Round;
  }
#pragma acc wait
#pragma acc exit data delete (M)
  for (int Round = 0; Round < Rounds; ++Round)
    for (int I = 0; I < N; ++I)
      A[I] = A[I] * 1.01 + Round;
  return wrong("A", M.A, A);
}
