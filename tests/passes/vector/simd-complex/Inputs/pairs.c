/*===- pairs.c - Loops over pairs of elements -----------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* TABLE names the table of this build.
|*
\*===----------------------------------------------------------------------===*/

#include "pairs.h"

/* Clang knows of parameters only that they do not overlap. */
#define BODY __attribute__((noinline)) static void

/* A sum of products: of which type and arrays, and what each turn adds. */
#define SUM(Name, Type, P, Q, First, Second)                                   \
  BODY Name##_of(const Type *restrict A, const Type *restrict B, long N,       \
                 double *restrict Results) {                                   \
    Type Re = 3, Im = 0;                                                       \
    for (long I = 0; I < N; ++I) {                                             \
      Type Ar = A[2 * I], Ai = A[2 * I + 1];                                   \
      Type Br = B[2 * I], Bi = B[2 * I + 1];                                   \
      (void)Ar, (void)Ai, (void)Br, (void)Bi;                                  \
      First;                                                                   \
      Second;                                                                  \
    }                                                                          \
    Results[0] = Re;                                                           \
    Results[1] = Im;                                                           \
  }                                                                            \
  static void Name(struct Data *D, long N, double *Results) {                  \
    Name##_of(D->P, D->Q, N, Results);                                         \
  }

SUM(product, float, A, B, Re += Ar * Br - Ai * Bi, Im += Ar * Bi + Ai * Br)
SUM(conjugate, float, A, B, Re += Ar * Br + Ai * Bi, Im += Ai * Br - Ar * Bi)
SUM(negative, float, A, B, Re -= Ar * Br + Ai * Bi, Im -= Ar * Bi - Ai * Br)
SUM(squares, float, A, A, Re += Ar * Br - Ai * Bi, Im += Ar * Bi + Ai * Br)
SUM(other_sign, float, A, B, Re += Ai * Bi - Ar * Br, Im += Ar * Bi + Ai * Br)
SUM(doubles, double, X, Y, Re += Ar * Br - Ai * Bi, Im += Ar * Bi + Ai * Br)
SUM(integers, int, I, J, Re += Ar * Br - Ai * Bi, Im += Ar * Bi + Ai * Br)
SUM(and_more, float, A, B, Re += Ar * Br - Ai * Bi + Ar, Im += Ar * Bi)
SUM(straight, float, A, B, Re += Ar * Br + Ai * Bi, Im += 1)
SUM(chosen, float, A, B, if (Ar > 1) Re += Ar * Br - Ai * Bi,
    if (Ar > 1) Im += Ar * Bi + Ai * Br)

#define LOOKUP(Name, Restrict)                                                 \
  BODY Name##_of(const float *Restrict T, const int *Restrict Numbers,         \
                 const int *Restrict At, const float *Restrict A,              \
                 float *Restrict C, int *Restrict K, long N,                   \
                 double *Restrict Results);                                    \
  static void Name(struct Data *D, long N, double *Results) {                  \
    Name##_of(D->Table, D->Numbers, D->At, D->A, D->C, D->K, N, Results);      \
  }                                                                            \
  BODY Name##_of(const float *Restrict T, const int *Restrict Numbers,         \
                 const int *Restrict At, const float *Restrict A,              \
                 float *Restrict C, int *Restrict K, long N,                   \
                 double *Restrict Results)

LOOKUP(interpolate, restrict) {
  for (long I = 0; I < N; ++I)
    C[I] = T[At[I]] * A[I] + T[At[I] + 1] * (2 - A[I]);
}

LOOKUP(numbers, restrict) {
  for (long I = 0; I < N; ++I)
    K[I] = 3 * Numbers[At[I] + 1] - Numbers[At[I]];
}

LOOKUP(three, restrict) {
  for (long I = 0; I < N; ++I) {
    int J = At[I] > 0 ? At[I] : 1;
    C[I] = T[J - 1] + 2 * T[J] - T[J + 1];
  }
}

LOOKUP(some, restrict) {
  for (long I = 0; I < N; ++I)
    if (A[I] > 0)
      C[I] = T[At[I]] - 2 * T[At[I] + 1];
}

/* The second is not always there. */
LOOKUP(second, restrict) {
  float Sum = 0;
  for (long I = 0; I < N; ++I) {
    Sum += T[At[I]];
    if (A[I] > 0)
      Sum += T[At[I] + 1];
  }
  Results[0] = Sum;
}

LOOKUP(may_overlap, ) {
  for (long I = 0; I < N; ++I) {
    float First = T[At[I]];
    C[I] = First;
    C[N + I] = T[At[I] + 1] + First;
  }
}

PairLoop *const TABLE[PairLoops] = {
    product,  conjugate, negative, squares,    other_sign,  doubles,
    integers, and_more,  straight, chosen,     interpolate, numbers,
    three,    some,      second,   may_overlap};
