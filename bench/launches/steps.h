//===- steps.h - Small kernels and their results ----------------*- C -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the directive programs and their CUDA rivals share: the bodies of the
// kernels, which are exact, and what they leave behind. C and CUDA C++.
//
//===----------------------------------------------------------------------===//

#ifndef LAUNCHES_STEPS_H
#define LAUNCHES_STEPS_H

#include "../gridloop/measure.h"

enum { N = 4096, Rounds = 1000 };

/* Five kernels, each with the two arrays of a round. */
#define STEP0(A, B, I) (A)[I] = (A)[I] * 5 + (B)[I]
#define STEP1(A, B, I) (B)[I] ^= (A)[I] >> 3
#define STEP2(A, B, I) (A)[I] += (B)[I] * 3
#define STEP3(A, B, I) (B)[I] = (A)[I] - (B)[I]
#define STEP4(A, B, I) (A)[I] ^= (B)[I] << 2
/* From one array to the other. */
#define BLUR(TO, FROM, I)                                                      \
  (TO)[I] = (FROM)[(I) ? (I) - 1 : 0] + (FROM)[(I) + 1 < N ? (I) + 1 : (I)]
/* A value that changes from round to round. */
#define COUNTED(A, R, I) (A)[I] = (A)[I] * 5 + (unsigned)(R)

static inline void start(unsigned *A, unsigned *B) {
  for (int I = 0; I < N; ++I) {
    A[I] = (unsigned)I;
    B[I] = (unsigned)I * 7;
  }
}

/* Runs EACH, a statement on A, B and the round R, as often as the programs'
   kernels did, and compares. */
#define CHECK(RIGHT, A, B, TIMES, EACH)                                        \
  do {                                                                         \
    static unsigned WantA[N], WantB[N];                                        \
    unsigned *X = WantA, *Y = WantB;                                           \
    start(X, Y);                                                               \
    for (long T = 0; T < (TIMES); ++T)                                         \
      for (int R = 0; R < Rounds; ++R) {                                       \
        EACH;                                                                  \
      }                                                                        \
    RIGHT = !memcmp(A, X, sizeof WantA) && !memcmp(B, Y, sizeof WantB);        \
  } while (0)

#define ALL(STATEMENT)                                                         \
  for (int I = 0; I < N; ++I) {                                                \
    STATEMENT;                                                                 \
  }
#define CHECK_ONE ALL(STEP0(X, Y, I))
#define CHECK_FIVE                                                             \
  ALL(STEP0(X, Y, I); STEP1(X, Y, I); STEP2(X, Y, I); STEP3(X, Y, I);          \
      STEP4(X, Y, I))
#define CHECK_TWENTY                                                           \
  for (int K = 0; K < 4; ++K)                                                  \
  CHECK_FIVE
#define CHECK_SWAPPED                                                          \
  ALL(BLUR(Y, X, I));                                                          \
  unsigned *Z = X;                                                             \
  X = Y;                                                                       \
  Y = Z
#define CHECK_COUNTED ALL(COUNTED(X, R, I))

/* Kernels and their microseconds; the size is the kernels of a round. */
static void reportKernels(const char *Bench, const char *Impl, int Kernels,
                          double Ms, int Right) {
  printf("RESULT,%s,%s,%d,%.4f,%.3f us a kernel,%s\n", Bench, Impl, Kernels, Ms,
         Ms * 1e3 / ((double)Rounds * Kernels), Right ? "ok" : "BAD");
  fflush(stdout);
  Wrong += !Right;
}

#endif /* LAUNCHES_STEPS_H */
