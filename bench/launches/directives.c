//===- directives.c - Loops of small regions ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounds of regions on data that is present, as programs have them: no clause
// says that they need not be waited for.
//
//===----------------------------------------------------------------------===//

#include "steps.h"

#ifndef IMPL
#define IMPL "stock"
#endif

#define PARALLEL _Pragma("omp target teams distribute parallel for")
#define REGION(NAME, STATEMENT)                                                \
  static void NAME(unsigned *A, unsigned *B) {                                 \
    PARALLEL for (int I = 0; I < N; ++I) STATEMENT;                            \
  }
REGION(step0, STEP0(A, B, I))
REGION(step1, STEP1(A, B, I))
REGION(step2, STEP2(A, B, I))
REGION(step3, STEP3(A, B, I))
REGION(step4, STEP4(A, B, I))
REGION(blur, BLUR(B, A, I))

static void counted(unsigned *A, int R) {
#pragma omp target teams distribute parallel for map(A[0 : N])
  for (int I = 0; I < N; ++I)
    COUNTED(A, R, I);
}

static void five(unsigned *A, unsigned *B) {
  step0(A, B);
  step1(A, B);
  step2(A, B);
  step3(A, B);
  step4(A, B);
}

static void rounds(int Kernels, unsigned *A, unsigned *B) {
  for (int R = 0; R < Rounds; ++R)
    if (Kernels == 1)
      step0(A, B);
    else
      for (int K = 0; K < Kernels; K += 5)
        five(A, B);
}

static void swapped(unsigned *A, unsigned *B) {
  for (int R = 0; R < Rounds; ++R) {
    blur(A, B);
    unsigned *T = A;
    A = B;
    B = T;
  }
}

static void chain(unsigned *A) {
  for (int R = 0; R < Rounds; ++R) {
#pragma omp target teams distribute parallel for map(A[0 : N]) nowait depend(  \
        inout : A[0])
    for (int I = 0; I < N; ++I)
      COUNTED(A, R, I);
  }
#pragma omp taskwait
}

#ifdef _OPENACC
/* On a queue, which is waited for after each round, or at the end only. */
#define QUEUED(STATEMENT)                                                      \
  _Pragma(                                                                     \
      "acc parallel loop present(A[0 : N], B[0 : N]) async(1)") for (int I =   \
                                                                         0;    \
                                                                     I < N;    \
                                                                     ++I)      \
      STATEMENT;
static void queued(int Kernels, int Waits, unsigned *A, unsigned *B) {
  for (int R = 0; R < Rounds; ++R) {
    for (int K = 0; K < Kernels; K += 5) {
      QUEUED(STEP0(A, B, I))
      QUEUED(STEP1(A, B, I))
      QUEUED(STEP2(A, B, I))
      QUEUED(STEP3(A, B, I))
      QUEUED(STEP4(A, B, I))
    }
    if (Waits) {
#pragma acc wait(1)
    }
  }
#pragma acc wait(1)
}
#endif

static unsigned sum(const unsigned *A) {
  unsigned Sum = 0;
#pragma omp target teams distribute parallel for map(A[0 : N])                 \
    reduction(+ : Sum)
  for (int I = 0; I < N; ++I)
    Sum += A[I];
  return Sum;
}

#define MEASURE(BENCH, KERNELS, CALL, EACH)                                    \
  if (isWanted(Count, Args, BENCH)) {                                          \
    long Times = 0;                                                            \
    double Ms;                                                                 \
    start(A, B);                                                               \
    _Pragma("omp target data map(tofrom : A[0 : N], B[0 : N])") {              \
      MEDIAN_OF(Ms, CALL; ++Times);                                            \
    }                                                                          \
    int Right;                                                                 \
    CHECK(Right, A, B, Times, EACH);                                           \
    reportKernels(BENCH, Impl, KERNELS, Ms, Right);                            \
  }

int main(int Count, char **Args) {
  const char *Impl = getenv("LAUNCHES_IMPL") ? getenv("LAUNCHES_IMPL") : IMPL;
  static unsigned A[N], B[N];
  MEASURE("rounds", 1, rounds(1, A, B), CHECK_ONE)
  MEASURE("rounds", 5, rounds(5, A, B), CHECK_FIVE)
  MEASURE("rounds", 20, rounds(20, A, B), CHECK_TWENTY)
  MEASURE("swapped", 1, swapped(A, B), CHECK_SWAPPED)
  MEASURE("counted", 1, for (int R = 0; R < Rounds; ++R) counted(A, R),
          CHECK_COUNTED)
  MEASURE("chain", 1, chain(A), CHECK_COUNTED)
#ifdef _OPENACC
  MEASURE("queued", 5, queued(5, 0, A, B), CHECK_FIVE)
  MEASURE("queued", 20, queued(20, 0, A, B), CHECK_TWENTY)
  MEASURE("queued-waits", 20, queued(20, 1, A, B), CHECK_TWENTY)
#endif
  if (isWanted(Count, Args, "sum")) {
    unsigned Sum = 0, Want = 0;
    double Ms;
    start(A, B);
    for (int I = 0; I < N; ++I)
      Want += A[I];
#pragma omp target data map(to : A[0 : N])
    MEDIAN_OF(
        Ms, for (int R = 0; R < Rounds; ++R) {
          Sum = sum(A);
          Wrong += Sum != Want;
        });
    reportKernels("sum", Impl, 1, Ms, Sum == Want);
  }
  return Wrong != 0;
}
