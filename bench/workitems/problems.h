//===- problems.h - Data, sizes and checks of both sides --------*- C -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eight simple kernels on three arrays: A and B are read, C is written. A side
// gives openArrays, go and closeArrays; main times go.
//
//===----------------------------------------------------------------------===//

#ifndef WORKITEMS_PROBLEMS_H
#define WORKITEMS_PROBLEMS_H

#include "../gridloop/measure.h"

typedef enum {
  Square,
  VectorAdd,
  Product,
  Naive,
  Reduce,
  Histogram,
  Scan,
  BlackScholes,
  Binomial
} Kernel;

enum { Tile = 16, Line = 256, Bins = 256, ScanSize = 1024, Nodes = 255 };

typedef struct {
  Kernel Which;
  const char *Name;
  /// Iterations; of products, columns and rows (and what is summed).
  int N, M;
  /// What one work-item does, and work-items of a block (of products, of one
  /// dimension); 0: any.
  int Each, Local;
} Problem;

/// The blocks of table 3.
static inline int usualLocal(Kernel Which) {
  switch (Which) {
  case Product:
  case Naive:
    return Tile;
  case Reduce:
  case BlackScholes:
    return Line;
  case Histogram:
    return 128;
  case Scan:
    return ScanSize;
  case Binomial:
    return Nodes;
  default:
    return 0;
  }
}

static const float Rate = 0.02f, Volatility = 0.30f;

#ifndef IMPL
#define IMPL "?"
#endif
static void openArrays(float *A, long Na, float *B, long Nb, float *C, long Nc);
static void go(const Problem *P, float *A, float *B, float *C);
static void closeArrays(float *A, long Na, float *B, long Nb, float *C,
                        long Nc);

/// No vectors: libm has none of it.
__attribute__((noinline, optnone)) static double normal(double X) {
  return 0.5 * erfc(-X / sqrt(2.0));
}

static int checkOne(const Problem *P, const float *A, const float *B,
                    const float *C) {
  const int *Ci = (const int *)C, *Ai = (const int *)A;
  int N = P->N;
  switch (P->Which) {
  case Square:
    for (int I = 0; I < N; ++I)
      if (C[I] != A[I] * A[I])
        return 0;
    return 1;
  case VectorAdd:
    for (int I = 0; I < N; ++I)
      if (C[I] != A[I] + B[I])
        return 0;
    return 1;
  case Product:
  case Naive: {
    for (unsigned long T = 0; T < 300; ++T) {
      int I = (int)(noise(T) * (float)P->M), J = (int)(noise(T + 9) * (float)N);
      double Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += (double)A[I * N + K] * B[K * N + J];
      if (!isNear(C[I * N + J], Sum, 1e-4))
        return 0;
    }
    return 1;
  }
  case Reduce:
    for (int G = 0; G * P->Local < N; ++G) {
      int Sum = 0;
      for (int I = G * P->Local; I < (G + 1) * P->Local && I < N; ++I)
        Sum += Ai[I];
      if (Ci[G] != Sum)
        return 0;
    }
    return 1;
  case Histogram: {
    static int Want[Bins];
    memset(Want, 0, sizeof Want);
    for (int I = 0; I < N; ++I)
      ++Want[Ai[I] & (Bins - 1)];
    return !memcmp(Want, Ci, sizeof Want);
  }
  case Scan: {
    int Sum = 0;
    for (int I = 0; I < N; ++I)
      if (Ci[I] != (Sum += Ai[I]))
        return 0;
    return 1;
  }
  case BlackScholes:
    for (int I = 0; I < N; I += 97) {
      double S = 10 + 90 * A[I], K = 10 + 90 * B[I], T = 1 + 9 * A[I];
      double V = Volatility * sqrt(T);
      double D = (log(S / K) + (Rate + 0.5 * Volatility * Volatility) * T) / V;
      double Call = S * normal(D) - K * exp(-Rate * T) * normal(D - V);
      if (!isNear(C[I], Call, 2e-4))
        return 0;
    }
    return 1;
  case Binomial:
    for (int G = 0; G < N / Nodes; G += 37) {
      double S = 10 + 90 * A[G], V[Nodes], Dt = 1.0 / (Nodes - 1);
      double U = exp(Volatility * sqrt(Dt)), Grow = exp(Rate * Dt);
      double Up = (Grow - 1 / U) / (U - 1 / U);
      for (int J = 0; J < Nodes; ++J)
        V[J] = fmax(
            S * exp(Volatility * sqrt(Dt) * (2.0 * J - (Nodes - 1))) - 50, 0.0);
      for (int T = Nodes - 1; T > 0; --T)
        for (int J = 0; J < T; ++J)
          V[J] = (Up * V[J + 1] + (1 - Up) * V[J]) / Grow;
      if (!isNear(C[G], V[0], 2e-3))
        return 0;
    }
    return 1;
  }
  return 0;
}

static void solve(Problem P) {
  int IsProduct = P.Which == Product || P.Which == Naive;
  long Nc = IsProduct ? (long)P.N * P.M : P.Which == Histogram ? Bins : P.N;
  long Na = IsProduct ? (long)P.N * P.M : P.N;
  long Nb = IsProduct ? (long)P.N * P.N : P.N;
  float *A = filled((size_t)Na), *B = filled((size_t)Nb),
        *C = filled((size_t)Nc);
  if (P.Which == Reduce || P.Which == Histogram || P.Which == Scan)
    for (long I = 0; I < Na; ++I)
      ((int *)A)[I] = (int)(noise((unsigned long)I) * 1000);
  openArrays(A, Na, B, Nb, C, Nc);
  double Ms;
  MEDIAN_OF(Ms, go(&P, A, B, C));
  closeArrays(A, Na, B, Nb, C, Nc);
  char Name[64];
  snprintf(Name, sizeof Name, P.Each > 1 ? "%s-x%d" : "%s", P.Name, P.Each);
  if (P.Local != usualLocal(P.Which))
    snprintf(Name, sizeof Name, "%s-of-%d", P.Name, P.Local);
  report(Name, IMPL, P.N, Ms, P.N, "Gitem/s", checkOne(&P, A, B, C));
  free(A), free(B), free(C);
}

/// Work of a work-item, and work-items of a block, as tables 5 and 6 have them.
static void sweep(void) {
  const int Squares[] = {10000, 100000, 1000000, 10000000},
            Sums[] = {110000, 1100000, 5500000};
  for (int Each = 10; Each <= 1000; Each *= 10) {
    for (int S = 0; S < 4; ++S)
      solve((Problem){Square, "square", Squares[S], 0, Each, 0});
    for (int S = 0; S < 3; ++S)
      solve((Problem){VectorAdd, "vectoradd", Sums[S], 0, Each, 0});
  }
  for (int Local = 1; Local <= 1000; Local *= 10) {
    solve((Problem){Square, "square", 1000000, 0, 1, Local});
    solve((Problem){VectorAdd, "vectoradd", 1100000, 0, 1, Local});
  }
  for (int Local = 1; Local <= 8; Local *= 2) {
    solve((Problem){Product, "matmul", 800, 1600, 1, Local});
    solve((Problem){Naive, "naive", 800, 1600, 1, Local});
    solve((Problem){BlackScholes, "blackscholes", 1280 * 1280, 0, 1, Local});
  }
  for (int Local = 64; Local <= 1024; Local *= 2)
    if (Local != Line)
      solve((Problem){Reduce, "reduction", 2560000, 0, 1, Local});
}

/// Table 3, but for products of 4,000 by 8,000; or with `small` or `sweep`.
static int solveAll(const char *What) {
  const int Small = !strcmp(What, "small");
  const int Squares[] = {10000, 100000, 1000000, 10000000},
            Sums[] = {110000, 1100000, 5500000, 11445000},
            Reductions[] = {640000, 2560000, 10240000};
  if (!strcmp(What, "sweep")) {
    sweep();
    return Wrong != 0;
  }
  for (int S = 0; S < (Small ? 1 : 4); ++S)
    solve((Problem){Square, "square", Squares[S], 0, 1, 0});
  for (int S = 0; S < (Small ? 1 : 4); ++S)
    solve((Problem){VectorAdd, "vectoradd", Sums[S], 0, 1, 0});
  for (int N = Small ? 64 : 800; N <= (Small ? 64 : 1600); N *= 2) {
    solve((Problem){Product, "matmul", N, Small ? 96 : 2 * N, 1, Tile});
    solve((Problem){Naive, "naive", N, Small ? 96 : 2 * N, 1, Tile});
  }
  for (int S = 0; S < (Small ? 1 : 3); ++S)
    solve((Problem){Reduce, "reduction", Reductions[S], 0, 1, Line});
  solve((Problem){Histogram, "histogram", 409600, 0, 1, 128});
  solve((Problem){Scan, "prefixsum", ScanSize, 0, 1, ScanSize});
  solve((Problem){BlackScholes, "blackscholes", Small ? 2560 : 1280 * 1280, 0,
                  1, Line});
  if (!Small)
    solve((Problem){BlackScholes, "blackscholes", 2560 * 2560, 0, 1, Line});
  for (int N = Small ? 2550 : 255000; N <= (Small ? 2550 : 2550000); N *= 10)
    solve((Problem){Binomial, "binomial", N, 0, 1, Nodes});
  if (Small) {
    solve((Problem){Square, "square", 1000000, 0, 10, 0});
    solve((Problem){VectorAdd, "vectoradd", 110000, 0, 10, 0});
    solve((Problem){Product, "matmul", 64, 96, 1, 4});
    solve((Problem){Reduce, "reduction", 2560000, 0, 1, 64});
  }
  return Wrong != 0;
}

#endif // WORKITEMS_PROBLEMS_H
