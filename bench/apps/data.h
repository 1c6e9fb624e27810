//===- data.h - What both sides compute, and what is right ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes, inputs and results of the applications. C++ and CUDA C++.
//
//===----------------------------------------------------------------------===//

#ifndef APPS_DATA_H
#define APPS_DATA_H

#include "../reduce/data.h"

#include <vector>

#ifdef __CUDACC__
#define ANYWHERE __host__ __device__
#else
#define ANYWHERE
#endif

/// Means of clusters, as a program would pass them: two shapes of k-means.
template <int Clusters, int Dims> struct Means {
  float At[Clusters][Dims];
};
template <int Clusters, int Dims> struct Moments {
  float Sum[Clusters * Dims];
  int Count[Clusters];
};

template <int Clusters, int Dims> static Means<Clusters, Dims> firstMeans() {
  Means<Clusters, Dims> M;
  for (int C = 0; C < Clusters; ++C)
    for (int D = 0; D < Dims; ++D)
      M.At[C][D] = noise(size_t(C * Dims + D) + 12345);
  return M;
}

template <int Clusters, int Dims>
ANYWHERE static inline int nearest(const Means<Clusters, Dims> &M,
                                   const float *P) {
  int Best = 0;
  float Least = 1e30f;
  for (int C = 0; C < Clusters; ++C) {
    float Distance = 0;
    for (int D = 0; D < Dims; ++D)
      Distance += (P[D] - M.At[C][D]) * (P[D] - M.At[C][D]);
    if (Distance < Least) {
      Least = Distance;
      Best = C;
    }
  }
  return Best;
}

/// Points on the border of two clusters may go to either.
template <int Clusters, int Dims>
static bool areMoments(const Moments<Clusters, Dims> &Got,
                       const Means<Clusters, Dims> &M, const float *P, int N) {
  std::vector<double> Sum(Clusters * Dims);
  std::vector<long> Count(Clusters);
  for (int I = 0; I < N; ++I) {
    const int C = nearest(M, P + size_t(I) * Dims);
    ++Count[size_t(C)];
    for (int D = 0; D < Dims; ++D)
      Sum[size_t(C * Dims + D)] += double(P[size_t(I) * Dims + size_t(D)]);
  }
  bool Right = true;
  for (size_t C = 0; C < size_t(Clusters); ++C)
    Right &= labs(Got.Count[C] - Count[C]) <= 2 + N / 100000;
  for (size_t S = 0; S < Sum.size(); ++S)
    Right &= fabs(double(Got.Sum[S]) - Sum[S]) <= 4 + 1e-3 * fabs(Sum[S]);
  return Right;
}

/// Pairs of the NAS benchmark EP: x(k+1) = 5^13 x(k) mod 2^46.
constexpr unsigned long EpMask = (1ul << 46) - 1, EpFactor = 1220703125ul,
                        EpSeed = 271828183ul;
enum { EpPairs = 128, EpRings = 10 };

ANYWHERE static inline unsigned long epJump(unsigned long Count) {
  unsigned long X = EpSeed, Factor = EpFactor;
  for (; Count; Count /= 2) {
    if (Count & 1)
      X = X * Factor & EpMask;
    Factor = Factor * Factor & EpMask;
  }
  return X;
}

ANYWHERE static inline double epNext(unsigned long &X) {
  X = X * EpFactor & EpMask;
  return 2 * (double(X) * (1.0 / double(1ul << 46))) - 1;
}

struct EpResult {
  double X, Y;
  int Rings[EpRings];
};

/// The benchmark's own results, of 2^LogPairs pairs.
static bool isEp(const EpResult &Got, int LogPairs) {
  double X = 0, Y = 0;
  switch (LogPairs) {
  case 24:
    X = -3.247834652034740e3;
    Y = -6.958407078382297e3;
    break;
  case 28:
    X = -4.295875165629892e3;
    Y = -1.580732573678431e4;
    break;
  default: {
    // Small runs: all pairs here.
    unsigned long Seed = EpSeed;
    for (long I = 0; I < 1l << LogPairs; ++I) {
      const double A = epNext(Seed), B = epNext(Seed), T = A * A + B * B;
      if (T > 1)
        continue;
      const double F = sqrt(-2 * log(T) / T);
      X += A * F;
      Y += B * F;
    }
  }
  }
  long Pairs = 0;
  for (int Ring : Got.Rings)
    Pairs += Ring;
  const double Share = double(Pairs) / double(1l << LogPairs);
  return fabs((Got.X - X) / X) < 1e-8 && fabs((Got.Y - Y) / Y) < 1e-8 &&
         fabs(Share - 0.785398) < 0.01;
}

/// Heat on a plate: the upper edge is hot, the others cold.
static float *plate(int Rows, int Columns) {
  auto *P = filledWith<float>(size_t(Rows) * size_t(Columns));
  for (size_t I = 0; I < size_t(Rows) * size_t(Columns); ++I)
    P[I] = I < size_t(Columns) ? 100.f : 0.f;
  return P;
}

struct HeatCase {
  int Rows, Columns, Most;
  float Enough;
};

/// Until no cell changes by more than Enough; how often that took.
static int heatSteps(const HeatCase &H, float *A, float *B) {
  const size_t W = size_t(H.Columns);
  for (int Step = 1;; ++Step) {
    float Most = 0;
#pragma omp parallel for reduction(max : Most)
    for (int Y = 1; Y < H.Rows - 1; ++Y)
      for (size_t I = size_t(Y) * W + 1; I < size_t(Y + 1) * W - 1; ++I) {
        B[I] = 0.25f * (A[I - W] + A[I + W] + A[I - 1] + A[I + 1]);
        Most = fmaxf(Most, fabsf(B[I] - A[I]));
      }
    float *Swapped = A;
    A = B;
    B = Swapped;
    if (Most <= H.Enough || Step == H.Most)
      return Step;
  }
}

/// Rows whose exponentials add up to one, or with mean 0 and variance 1.
static bool areRows(int Rows, int Columns, const float *A, const float *B,
                    bool IsSoftmax) {
  const size_t W = size_t(Columns);
  bool Right = true;
  for (size_t Y = 0; Y < size_t(Rows); Y += 1 + size_t(Rows) / 61) {
    const float *From = A + Y * W, *To = B + Y * W;
    double Most = -1e30, Sum = 0, Squares = 0, Exponentials = 0;
    for (size_t X = 0; X < W; ++X) {
      Most = fmax(Most, double(From[X]));
      Sum += double(From[X]);
      Squares += double(From[X]) * double(From[X]);
    }
    for (size_t X = 0; X < W; ++X)
      Exponentials += exp(double(From[X]) - Most);
    const double Mean = Sum / Columns,
                 Spread = sqrt(Squares / Columns - Mean * Mean + 1e-5);
    for (size_t X = 0; X < W; ++X)
      Right &=
          IsSoftmax
              ? isNear(double(To[X]),
                       exp(double(From[X]) - Most) / Exponentials, 1e-4)
              : fabs(double(To[X]) - (double(From[X]) - Mean) / Spread) < 1e-3;
  }
  return Right;
}

#endif // APPS_DATA_H
