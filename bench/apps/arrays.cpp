//===- arrays.cpp - Array reductions and what stands for them -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A histogram, the sums of k-means and EP of the NAS benchmarks, with an array
// in the reduction clause, with a variable for each element, and with atomics.
// Arguments: names of parts (bins, kmeans, ep), small.
//
//===----------------------------------------------------------------------===//

#include "data.h"

#ifndef IMPL
#define IMPL "accx"
#endif

static void binsArray(int N, const unsigned char *X, int (&S)[256]) {
#pragma omp target teams distribute parallel for map(to : X[ : N])             \
    reduction(+ : S)
  for (int I = 0; I < N; ++I)
    S[X[I]] += 1;
}

static void binsAtomic(int N, const unsigned char *X, int (&S)[256]) {
#pragma omp target teams distribute parallel for map(to : X[ : N])             \
    map(tofrom : S)
  for (int I = 0; I < N; ++I) {
#pragma omp atomic
    S[X[I]] += 1;
  }
}

static void bins(int N) {
  auto *X = filledWith<unsigned char>(size_t(N));
  int Want[256] = {}, Got[256];
  for (int I = 0; I < N; ++I) {
    X[I] = static_cast<unsigned char>(noise(size_t(I)) * 256);
    ++Want[X[I]];
  }
  double Ms;
#pragma omp target data map(to : X[ : N])
  {
    MEDIAN_OF(Ms, memset(Got, 0, sizeof Got); binsArray(N, X, Got));
    report("bins-array", IMPL, N, Ms, N, "GB/s",
           !memcmp(Got, Want, sizeof Got));
    MEDIAN_OF(Ms, memset(Got, 0, sizeof Got); binsAtomic(N, X, Got));
    report("bins-atomic", IMPL, N, Ms, N, "GB/s",
           !memcmp(Got, Want, sizeof Got));
  }
  free(X);
}

template <int K, int D>
static void sumsArray(int N, const float *P, const Means<K, D> &M,
                      Moments<K, D> &Out) {
  float Sum[K * D] = {};
  int Count[K] = {};
#pragma omp target teams distribute parallel for map(to : P[ : N * D], M)      \
    reduction(+ : Sum, Count)
  for (int I = 0; I < N; ++I) {
    const int C = nearest(M, P + size_t(I) * D);
    Count[C] += 1;
    for (int J = 0; J < D; ++J)
      Sum[C * D + J] += P[size_t(I) * D + size_t(J)];
  }
  memcpy(Out.Sum, Sum, sizeof Sum);
  memcpy(Out.Count, Count, sizeof Count);
}

template <int K, int D>
static void sumsAtomic(int N, const float *P, const Means<K, D> &M,
                       Moments<K, D> &Out) {
  Out = {};
#pragma omp target teams distribute parallel for map(to : P[ : N * D], M)      \
    map(tofrom : Out)
  for (int I = 0; I < N; ++I) {
    const int C = nearest(M, P + size_t(I) * D);
#pragma omp atomic
    Out.Count[C] += 1;
    for (int J = 0; J < D; ++J) {
#pragma omp atomic
      Out.Sum[C * D + J] += P[size_t(I) * D + size_t(J)];
    }
  }
}

static void sumsScalars(int N, const float *P, const Means<4, 2> &M,
                        Moments<4, 2> &Out) {
  float A0 = 0, A1 = 0, B0 = 0, B1 = 0, C0 = 0, C1 = 0, D0 = 0, D1 = 0;
  int A = 0, B = 0, C = 0, D = 0;
#pragma omp target teams distribute parallel for map(to : P[ : N * 2], M)      \
    reduction(+ : A0, A1, B0, B1, C0, C1, D0, D1, A, B, C, D)
  for (int I = 0; I < N; ++I) {
    const int Best = nearest(M, P + size_t(I) * 2);
    const float X = P[size_t(I) * 2], Y = P[size_t(I) * 2 + 1];
    if (Best == 0) {
      A += 1;
      A0 += X;
      A1 += Y;
    } else if (Best == 1) {
      B += 1;
      B0 += X;
      B1 += Y;
    } else if (Best == 2) {
      C += 1;
      C0 += X;
      C1 += Y;
    } else {
      D += 1;
      D0 += X;
      D1 += Y;
    }
  }
  Out = {{A0, A1, B0, B1, C0, C1, D0, D1}, {A, B, C, D}};
}

template <int K, int D> static void kmeans(int N, const char *Name) {
  const Means<K, D> M = firstMeans<K, D>();
  const size_t All = size_t(N) * D;
  float *P = filled(All);
  Moments<K, D> Got;
  double Ms;
  char Full[40];
#pragma omp target data map(to : P[ : All])
  {
    MEDIAN_OF(Ms, sumsArray(N, P, M, Got));
    snprintf(Full, sizeof Full, "%s-array", Name);
    report(Full, IMPL, N, Ms, 4.0 * double(All), "GB/s",
           areMoments(Got, M, P, N));
    MEDIAN_OF(Ms, sumsAtomic(N, P, M, Got));
    snprintf(Full, sizeof Full, "%s-atomic", Name);
    report(Full, IMPL, N, Ms, 4.0 * double(All), "GB/s",
           areMoments(Got, M, P, N));
    if constexpr (K == 4) {
      MEDIAN_OF(Ms, sumsScalars(N, P, M, Got));
      snprintf(Full, sizeof Full, "%s-scalars", Name);
      report(Full, IMPL, N, Ms, 4.0 * double(All), "GB/s",
             areMoments(Got, M, P, N));
    }
  }
  free(P);
}

static void epArray(int LogPairs, EpResult &Out) {
  const int Batches = int((1l << LogPairs) / EpPairs);
  double SumX = 0, SumY = 0;
  int Rings[EpRings] = {};
#pragma omp target teams distribute parallel for reduction(+ : SumX, SumY,     \
                                                               Rings)
  for (int I = 0; I < Batches; ++I) {
    unsigned long Seed = epJump(2ul * EpPairs * (unsigned long)I);
    for (int P = 0; P < EpPairs; ++P) {
      const double A = epNext(Seed), B = epNext(Seed), T = A * A + B * B;
      if (T <= 1) {
        const double F = sqrt(-2 * log(T) / T), X = A * F, Y = B * F;
        Rings[int(fmax(fabs(X), fabs(Y)))] += 1;
        SumX += X;
        SumY += Y;
      }
    }
  }
  Out.X = SumX;
  Out.Y = SumY;
  memcpy(Out.Rings, Rings, sizeof Rings);
}

static void epScalars(int LogPairs, EpResult &Out) {
  const int Batches = int((1l << LogPairs) / EpPairs);
  double SumX = 0, SumY = 0;
  int Q0 = 0, Q1 = 0, Q2 = 0, Q3 = 0, Q4 = 0, Q5 = 0, Q6 = 0, Q7 = 0, Q8 = 0,
      Q9 = 0;
#pragma omp target teams distribute parallel for reduction(                    \
        + : SumX, SumY, Q0, Q1, Q2, Q3, Q4, Q5, Q6, Q7, Q8, Q9)
  for (int I = 0; I < Batches; ++I) {
    unsigned long Seed = epJump(2ul * EpPairs * (unsigned long)I);
    for (int P = 0; P < EpPairs; ++P) {
      const double A = epNext(Seed), B = epNext(Seed), T = A * A + B * B;
      if (T <= 1) {
        const double F = sqrt(-2 * log(T) / T), X = A * F, Y = B * F;
        const int Ring = int(fmax(fabs(X), fabs(Y)));
        Q0 += Ring == 0;
        Q1 += Ring == 1;
        Q2 += Ring == 2;
        Q3 += Ring == 3;
        Q4 += Ring == 4;
        Q5 += Ring == 5;
        Q6 += Ring == 6;
        Q7 += Ring == 7;
        Q8 += Ring == 8;
        Q9 += Ring == 9;
        SumX += X;
        SumY += Y;
      }
    }
  }
  Out = {SumX, SumY, {Q0, Q1, Q2, Q3, Q4, Q5, Q6, Q7, Q8, Q9}};
}

static void ep(int LogPairs) {
  EpResult Got;
  double Ms;
  const double Pairs = double(1l << LogPairs);
  MEDIAN_OF(Ms, epArray(LogPairs, Got));
  report("ep-array", IMPL, LogPairs, Ms, Pairs, "Gpair/s", isEp(Got, LogPairs));
  MEDIAN_OF(Ms, epScalars(LogPairs, Got));
  report("ep-scalars", IMPL, LogPairs, Ms, Pairs, "Gpair/s",
         isEp(Got, LogPairs));
}

int main(int Count, char **Args) {
  bool Small = false;
  for (int I = 1; I < Count; ++I)
    Small |= !strcmp(Args[I], "small");
  if (isWanted(Count, Args, "bins"))
    bins(Small ? 100003 : 1 << 24);
  if (isWanted(Count, Args, "kmeans")) {
    kmeans<4, 2>(Small ? 10007 : 1 << 22, "kmeans-4x2");
    kmeans<16, 4>(Small ? 10007 : 1 << 22, "kmeans-16x4");
  }
  if (isWanted(Count, Args, "ep"))
    ep(Small ? 14 : 28);
  return Wrong != 0;
}
