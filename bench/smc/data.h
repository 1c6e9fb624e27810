//===- data.h - What all versions compute, and what is right ----*- C -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs and checks of the listings. Header only; C and CUDA C++. Arrays are
// the caller's, results of ...Wanted are its to free.
//
//===----------------------------------------------------------------------===//

#ifndef SMC_DATA_H
#define SMC_DATA_H

#include "../gridloop/measure.h"

#ifdef __CUDACC__
#define ON_BOTH __host__ __device__
#else
#define ON_BOTH
#endif
#ifdef __cplusplus
#define ALIGNED16 alignas(16)
#else
#define ALIGNED16 _Alignas(16)
#endif

enum { Rows = 120, Steps = 12, Edge = 320 };

static inline void *newArray(size_t Bytes) {
  return aligned_alloc(64, (Bytes + 63) / 64 * 64);
}

ON_BOTH static inline int least(int A, int B) { return A < B ? A : B; }

/// The least of row \p X around element \p I.
static inline int leastAround(int N, const int *X, int I) {
  int M = X[I];
  if (I > 0)
    M = least(M, X[I - 1]);
  if (I < N - 1)
    M = least(M, X[I + 1]);
  return M;
}

/// Rows of N weights each.
static inline int *pathData(int N) {
  const size_t All = (size_t)N * Rows;
  int *Data = (int *)newArray(4 * All);
  for (size_t I = 0; I < All; ++I)
    Data[I] = (int)(noise(I) * 10);
  return Data;
}

/// The last row's sums.
static inline int *pathWanted(int N, const int *Data) {
  int *X = (int *)newArray(4ul * (size_t)N),
      *Y = (int *)newArray(4ul * (size_t)N);
  memcpy(X, Data, 4ul * (size_t)N);
  for (int T = 1; T < Rows; ++T) {
    for (int I = 0; I < N; ++I)
      Y[I] = Data[(size_t)T * N + I] + leastAround(N, X, I);
    int *Old = X;
    X = Y;
    Y = Old;
  }
  free(Y);
  return X;
}

ON_BOTH static inline float heat(float T, float P, float S, float N, float E,
                                 float W) {
  return T + 0.001f * (P + (S + N - 2 * T) * 8.0f + (E + W - 2 * T) * 9.0f +
                       (80.0f - T) * 2.0f);
}

/// Temperatures and power of N x N cells.
static inline void hotData(int N, float *T, float *P) {
  for (size_t I = 0; I < (size_t)N * N; ++I) {
    T[I] = 40 + 60 * noise(I);
    P[I] = noise(I + 5);
  }
}

static inline float *hotWanted(int N, const float *T, const float *P) {
  const size_t All = (size_t)N * N;
  float *X = (float *)newArray(4 * All), *Z = (float *)newArray(4 * All);
  memcpy(X, T, 4 * All);
  for (int K = 0; K < Steps; ++K) {
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J) {
        size_t At = (size_t)I * N + J;
        Z[At] = heat(X[At], P[At], X[I == N - 1 ? At : At + N],
                     X[I == 0 ? At : At - N], X[J == N - 1 ? At : At + 1],
                     X[J == 0 ? At : At - 1]);
      }
    float *Old = X;
    X = Z;
    Z = Old;
  }
  free(Z);
  return X;
}

static inline int isHot(int N, const float *Got, const float *Want) {
  for (size_t I = 0; I < (size_t)N * N; ++I)
    if (!(fabsf(Got[I] - Want[I]) <= 2e-5f * fabsf(Want[I])))
      return 0;
  return 1;
}

static inline void dyadicData(int N, float *A, float *B) {
  for (int I = 0; I < N; ++I) {
    A[I] = 2 * noise(I) - 1;
    B[I] = 2 * noise(I + 77) - 1;
  }
}

/// Some elements against sums in double.
static inline int isDyadic(int N, const float *A, const float *B,
                           const float *Got) {
  for (int T = 0; T < 8; ++T) {
    int K = (int)(noise(T + 3) * N) % N;
    double Sum = 0;
    for (int I = 0; I < N; ++I)
      Sum += (double)A[I] * B[I ^ K];
    if (!(fabs(Got[K] - Sum) <= 1e-4 * sqrt((double)N)))
      return 0;
  }
  return 1;
}

/// Matrices whose rows are Pitch elements apart.
static inline void productData(int N, int Pitch, float *A, float *B) {
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      A[(size_t)I * Pitch + J] = noise((unsigned long)I * Pitch + J) - 0.5f;
      B[(size_t)I * Pitch + J] = noise((unsigned long)J * Pitch + I + 7) - 0.5f;
    }
}

static inline int isProduct(int N, int Pitch, const float *A, const float *B,
                            const float *Got) {
  for (int T = 0; T < 400; ++T) {
    int I = (int)(noise((unsigned long)T) * (float)N) % N;
    int J = (int)(noise((unsigned long)T + 1000) * (float)N) % N;
    double Sum = 0;
    for (int K = 0; K < N; ++K)
      Sum += (double)A[(size_t)I * Pitch + K] * B[(size_t)K * Pitch + J];
    if (!(fabs(Got[(size_t)I * Pitch + J] - Sum) <= 1e-4 * (fabs(Sum) + 1)))
      return 0;
  }
  return 1;
}

typedef struct {
  ALIGNED16 float X;
  float Y, Z, Mass;
} Body;

static inline void bodyData(int N, Body *P) {
  for (int I = 0; I < N; ++I) {
    P[I].X = noise(4ul * I);
    P[I].Y = noise(4ul * I + 1);
    P[I].Z = noise(4ul * I + 2);
    P[I].Mass = noise(4ul * I + 3);
  }
}

static inline int areBodies(int N, const Body *P, const Body *Got) {
  for (int T = 0; T < 40; ++T) {
    int I = (int)(noise((unsigned long)T) * (float)N) % N;
    double X = 0;
    for (int J = 0; J < N; ++J) {
      double DX = P[J].X - P[I].X, DY = P[J].Y - P[I].Y, DZ = P[J].Z - P[I].Z;
      double Root = 1.0 / sqrt(DX * DX + DY * DY + DZ * DZ + 1e-4);
      X += P[J].Mass * Root * Root * Root * DX;
    }
    if (!(fabs(Got[I].X - X) <= 2e-3 * (fabs(X) + 1)))
      return 0;
  }
  return 1;
}

typedef float Plane[Edge][Edge];

static inline void stencilData(int N, Plane *A) {
  for (int Z = 0; Z < N; ++Z)
    for (int Y = 0; Y < Edge; ++Y)
      for (int X = 0; X < Edge; ++X)
        A[Z][Y][X] = noise(((unsigned long)Z * Edge + Y) * Edge + X);
}

static inline int isStencil(int N, const Plane *A, const Plane *B) {
  for (int Z = 1; Z < N - 1; ++Z)
    for (int Y = 1; Y < N - 1; ++Y)
      for (int X = 1; X < N - 1; ++X) {
        double Sum = 0.4 * A[Z][Y][X];
        Sum += 0.1 * (A[Z - 1][Y][X] + A[Z + 1][Y][X]);
        Sum += 0.1 * (A[Z][Y - 1][X] + A[Z][Y + 1][X]);
        Sum += 0.1 * (A[Z][Y][X - 1] + A[Z][Y][X + 1]);
        if (!(fabs(B[Z][Y][X] - Sum) <= 1e-6))
          return 0;
      }
  return 1;
}

#endif // SMC_DATA_H
