//===- directives.c - The kernels by directive ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with barriers are statements with channel types, in blocks of the
// size of the work-groups; others are loops.
//
//===----------------------------------------------------------------------===//

#define IMPL "accx"
#include "problems.h"

static void openArrays(float *A, long Na, float *B, long Nb, float *C,
                       long Nc) {
#pragma acc enter data copyin(A[0 : Na], B[0 : Nb], C[0 : Nc])
}

static void closeArrays(float *A, long Na, float *B, long Nb, float *C,
                        long Nc) {
#pragma acc exit data delete (A[0 : Na], B[0 : Nb])copyout(C[0 : Nc])
}

static void square(int N, const float *restrict A, float *restrict C) {
#pragma acc parallel loop present(A[0 : N], C[0 : N])
  for (int I = 0; I < N; ++I)
    C[I] = A[I] * A[I];
}

static void squares(int N, int Each, const float *restrict A,
                    float *restrict C) {
  int Items = (N + Each - 1) / Each;
#pragma acc parallel loop present(A[0 : N], C[0 : N])
  for (int I = 0; I < Items; ++I)
    for (int K = I * Each; K < (I + 1) * Each && K < N; ++K)
      C[K] = A[K] * A[K];
}

static void vectorAdd(int N, const float *restrict A, const float *restrict B,
                      float *restrict C) {
#pragma acc parallel loop present(A[0 : N], B[0 : N], C[0 : N])
  for (int I = 0; I < N; ++I)
    C[I] = A[I] + B[I];
}

static void sums(int N, int Each, const float *restrict A,
                 const float *restrict B, float *restrict C) {
  int Items = (N + Each - 1) / Each;
#pragma acc parallel loop present(A[0 : N], B[0 : N], C[0 : N])
  for (int I = 0; I < Items; ++I)
    for (int K = I * Each; K < (I + 1) * Each && K < N; ++K)
      C[K] = A[K] + B[K];
}

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
/// Of the array that a channel type names, blocks read as far as they write:
/// all run together, each of the tile's sums being a work-item.
#define PRODUCT(T)                                                             \
  static void product##T(int N, int M, const float *A, const float *B,         \
                         float *restrict C) {                                  \
    PRAGMA(acc parallel loop collapse(2)                                       \
               present(A [0:N * M], B [0:N * N], C [0:N * M]))                 \
    for (int I = 0; I < M; ++I)                                                \
      for (int J = 0; J < N; ++J) {                                            \
        float Sum = 0;                                                         \
        PRAGMA(acc fcw CHANNEL_ONLY(C [I * N + J:0:0]) block(T, T))            \
        for (int L = 0; L < N; L += T) {                                       \
          PRAGMA(acc fcw_barrier)                                              \
          for (int K = 0; K < T; ++K)                                          \
            Sum += A[I * N + L + K] * B[(L + K) * N + J];                      \
        }                                                                      \
        C[I * N + J] = Sum;                                                    \
      }                                                                        \
  }
PRODUCT(1)
PRODUCT(2)
PRODUCT(4)
PRODUCT(8)
PRODUCT(16)

static void naive(int N, int M, const float *A, const float *B,
                  float *restrict C) {
#pragma acc parallel loop collapse(2)                                          \
    present(A[0 : N * M], B[0 : N * N], C[0 : N * M])
  for (int I = 0; I < M; ++I)
    for (int J = 0; J < N; ++J) {
      float Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += A[I * N + K] * B[K * N + J];
      C[I * N + J] = Sum;
    }
}

#define REDUCE(L)                                                              \
  static void reduce##L(int N, int *restrict A, int *C) {                      \
    PRAGMA(acc parallel loop present(A [0:N], C [0:N]))                        \
    for (int I = 0; I < N; ++I) {                                              \
      int O = I % L;                                                           \
      PRAGMA(acc fcw FETCH_CHANNEL(A [I:0:0]) block(L)) {                      \
        for (int H = L / 2; H > 0; H /= 2)                                     \
          if (O < H && I + H < N)                                              \
            A[I] = A[I] + A[I + H];                                            \
        if (O == 0)                                                            \
          C[I / L] = A[I];                                                     \
      }                                                                        \
    }                                                                          \
  }
REDUCE(64)
REDUCE(128)
REDUCE(256)
REDUCE(512)
REDUCE(1024)

static void histogram(int N, const int *A, int *C) {
#pragma acc parallel loop present(C[0 : Bins])
  for (int I = 0; I < Bins; ++I)
    C[I] = 0;
#pragma acc parallel loop present(A[0 : N], C[0 : Bins])                       \
    reduction(+ : C[0 : Bins])
  for (int I = 0; I < N; ++I)
    C[A[I] & (Bins - 1)] += 1;
}

static void scan(const int *A, int *restrict C) {
#pragma acc parallel loop present(A[0 : ScanSize], C[0 : ScanSize])
  for (int I = 0; I < ScanSize; ++I) {
    int Own = A[I];
#pragma acc fcw CHANNEL_WB(C[I : 0 : 0]) block(1024)
    {
      C[I] = Own;
      for (int H = 1; H < ScanSize; H *= 2)
        if (I >= H)
          C[I] = C[I] + C[I - H];
    }
  }
}

static inline float normalOf(float X) {
  float K = 1.0f / (1.0f + 0.2316419f * fabsf(X));
  float Poly =
      K * (0.319381530f +
           K * (-0.356563782f +
                K * (1.781477937f + K * (-1.821255978f + K * 1.330274429f))));
  float Tail = 0.39894228f * expf(-0.5f * X * X) * Poly;
  return X > 0 ? 1.0f - Tail : Tail;
}

static void blackScholes(int N, const float *restrict A,
                         const float *restrict B, float *restrict C) {
#pragma acc parallel loop present(A[0 : N], B[0 : N], C[0 : N])
  for (int I = 0; I < N; ++I) {
    float S = 10 + 90 * A[I], K = 10 + 90 * B[I], T = 1 + 9 * A[I];
    float V = 0.30f * sqrtf(T);
    float D = (logf(S / K) + (0.02f + 0.5f * 0.30f * 0.30f) * T) / V;
    C[I] = S * normalOf(D) - K * expf(-0.02f * T) * normalOf(D - V);
  }
}

/// B has a lattice's values while a block runs.
static void binomial(int N, const float *A, float *restrict B, float *C) {
#pragma acc parallel loop present(A[0 : N], B[0 : N], C[0 : N])
  for (int I = 0; I < N; ++I) {
    int G = I / Nodes, J = I % Nodes;
    float Dt = 1.0f / (Nodes - 1), Step = 0.30f * sqrtf(Dt);
    float U = expf(Step), Grow = expf(0.02f * Dt);
    float Up = (Grow - 1 / U) / (U - 1 / U);
    float First =
        (10 + 90 * A[G]) * expf(Step * (float)(2 * J - (Nodes - 1))) - 50;
    First = First > 0 ? First : 0;
#pragma acc fcw CHANNEL_ONLY(B[I : 0 : 0]) block(255)
    {
      B[I] = First;
      for (int T = Nodes - 1; T > 0; --T)
        if (J < T)
          B[I] = (Up * B[I + 1] + (1 - Up) * B[I]) / Grow;
      if (J == 0)
        C[G] = B[I];
    }
  }
}

static void go(const Problem *P, float *A, float *B, float *C) {
  int N = P->N, *Ai = (int *)A, *Ci = (int *)C;
  switch (P->Which) {
  case Square:
    if (P->Each > 1)
      squares(N, P->Each, A, C);
    else
      square(N, A, C);
    break;
  case VectorAdd:
    if (P->Each > 1)
      sums(N, P->Each, A, B, C);
    else
      vectorAdd(N, A, B, C);
    break;
  case Product:
    (P->Local == 1   ? product1
     : P->Local == 2 ? product2
     : P->Local == 4 ? product4
     : P->Local == 8 ? product8
                     : product16)(N, P->M, A, B, C);
    break;
  case Naive:
    naive(N, P->M, A, B, C);
    break;
  case Reduce:
    if (P->Local == 64)
      reduce64(N, Ai, Ci);
    else if (P->Local == 128)
      reduce128(N, Ai, Ci);
    else if (P->Local == 256)
      reduce256(N, Ai, Ci);
    else if (P->Local == 512)
      reduce512(N, Ai, Ci);
    else
      reduce1024(N, Ai, Ci);
    break;
  case Histogram:
    histogram(N, Ai, Ci);
    break;
  case Scan:
    scan(Ai, Ci);
    break;
  case BlackScholes:
    blackScholes(N, A, B, C);
    break;
  case Binomial:
    binomial(N, A, B, C);
    break;
  }
}

int main(int Count, char **Args) { return solveAll(Count > 1 ? Args[1] : ""); }
