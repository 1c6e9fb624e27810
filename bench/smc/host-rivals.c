//===- host-rivals.c - The same without directives, on processors ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one writes without tiles: pathfinder as one sweep a row, hotspot as one
// a step, transforms one a butterfly, sums, products and bodies as plain loops.
// For a compiler without accx: `clang -fopenmp`.
//
//===----------------------------------------------------------------------===//

#include "data.h"

static int *pathAll(int N, const int *Data, int *A, int *B) {
  int *X = A, *Y = B;
  for (int T = 1; T < Rows; ++T) {
#pragma omp parallel for
    for (int I = 0; I < N; ++I)
      Y[I] = Data[(size_t)T * N + I] + leastAround(N, X, I);
    int *Old = X;
    X = Y;
    Y = Old;
  }
  return X;
}

static void benchPath(int N) {
  int *Data = pathData(N), *Want = pathWanted(N, Data);
  int *A = malloc(4ul * N), *B = malloc(4ul * N);
  memcpy(A, Data, 4ul * N);
  const int Right = !memcmp(pathAll(N, Data, A, B), Want, 4ul * N);
  double Ms;
  MEDIAN_OF(Ms, pathAll(N, Data, A, B));
  report("pathfinder", "plain", N, Ms, (double)N * Rows, "Gcell/s", Right);
  free(Data), free(A), free(B), free(Want);
}

static float *hotAll(int N, float *A, const float *P, float *B) {
  float *T = A, *R = B;
  for (int K = 0; K < Steps; ++K) {
#pragma omp parallel for
    for (int Y = 0; Y < N; ++Y)
      for (int X = 0; X < N; ++X)
        R[Y * N + X] = heat(T[Y * N + X], P[Y * N + X],
                            T[(Y == N - 1 ? Y : Y + 1) * N + X],
                            T[(Y == 0 ? Y : Y - 1) * N + X],
                            T[Y * N + (X == N - 1 ? X : X + 1)],
                            T[Y * N + (X == 0 ? X : X - 1)]);
    float *Old = T;
    T = R;
    R = Old;
  }
  return T;
}

static void benchHot(int N) {
  size_t All = (size_t)N * N;
  float *A = malloc(4 * All), *P = malloc(4 * All), *B = malloc(4 * All);
  hotData(N, A, P);
  float *Want = hotWanted(N, A, P);
  const int Right = isHot(N, hotAll(N, A, P, B), Want);
  double Ms;
  MEDIAN_OF(Ms, hotAll(N, A, P, B));
  report("hotspot", "plain", N, Ms, (double)All * Steps, "Gcell/s", Right);
  free(A), free(P), free(B), free(Want);
}

static void transform(int N, float *D) {
  for (int H = 1; H < N; H *= 2) {
#pragma omp parallel for
    for (int I = 0; I < N / 2; ++I) {
      int J = 2 * I - (I & (H - 1));
      float X = D[J], Y = D[J + H];
      D[J] = X + Y;
      D[J + H] = X - Y;
    }
  }
}

static void dyadic(int N, const float *A, const float *B, float *U, float *V) {
#pragma omp parallel for
  for (int I = 0; I < N; ++I) {
    U[I] = A[I];
    V[I] = B[I];
  }
  transform(N, U);
  transform(N, V);
  float Scale = 1.0f / (float)N;
#pragma omp parallel for
  for (int I = 0; I < N; ++I)
    U[I] = U[I] * V[I] * Scale;
  transform(N, U);
}

static void benchDyadic(int N) {
  float *A = malloc(4ul * N), *B = malloc(4ul * N), *U = malloc(4ul * N),
        *V = malloc(4ul * N);
  dyadicData(N, A, B);
  double Ms;
  MEDIAN_OF(Ms, dyadic(N, A, B, U, V));
  report("dyadic", "plain", N, Ms, N, "Gelem/s", isDyadic(N, A, B, U));
  free(A), free(B), free(U), free(V);
}

static void sumAll(int N, const int *A, int *Out) {
  int Sum = 0;
#pragma omp parallel for reduction(+ : Sum)
  for (int I = 0; I < N; ++I)
    Sum += A[I];
  *Out = Sum;
}

static void benchSum(int N) {
  int Want = 0, Sum = 0;
  int *A = malloc(4ul * N);
  for (int I = 0; I < N; ++I)
    Want += A[I] = (int)(noise(I) * 100) - 50;
  double Ms;
  MEDIAN_OF(Ms, sumAll(N, A, &Sum));
  report("reduction", "plain", N, Ms, N, "Gelem/s", Sum == Want);
  free(A);
}

#ifndef SIZE
#define SIZE 1024
#endif
typedef float Row[SIZE];

static void product(int N, Row *A, Row *B, Row *C) {
#pragma omp parallel for
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      float Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += A[I][K] * B[K][J];
      C[I][J] = Sum;
    }
}

static void benchProduct(int N) {
  size_t Bytes = sizeof(Row) * (size_t)N;
  Row *A = malloc(Bytes), *B = malloc(Bytes), *C = calloc(1, Bytes);
  productData(N, SIZE, *A, *B);
  double Ms;
  MEDIAN_OF(Ms, product(N, A, B, C));
  report("matmul", "plain", N, Ms, 2.0 * N * N * N, "GF",
         isProduct(N, SIZE, *A, *B, *C));
  free(A), free(B), free(C);
}

static void bodies(int N, const Body *P, Body *Out) {
#pragma omp parallel for
  for (int I = 0; I < N; ++I) {
    Body Me = P[I];
    float X = 0, Y = 0, Z = 0;
    for (int J = 0; J < N; ++J) {
      float DX = P[J].X - Me.X, DY = P[J].Y - Me.Y, DZ = P[J].Z - Me.Z;
      float Root = 1.0f / __builtin_sqrtf(DX * DX + DY * DY + DZ * DZ + 1e-4f);
      float W = P[J].Mass * Root * Root * Root;
      X += W * DX;
      Y += W * DY;
      Z += W * DZ;
    }
    Out[I].X = X;
    Out[I].Y = Y;
    Out[I].Z = Z;
    Out[I].Mass = 0;
  }
}

static void benchBodies(int N) {
  Body *P = aligned_alloc(16, sizeof(Body) * (size_t)N),
       *Out = aligned_alloc(16, sizeof(Body) * (size_t)N);
  bodyData(N, P);
  double Ms;
  MEDIAN_OF(Ms, bodies(N, P, Out));
  report("n-body", "plain", N, Ms, (double)N * N, "Gpairs",
         areBodies(N, P, Out));
  free(P), free(Out);
}

int main(int Count, char **Args) {
  int Small = Count > 1 && !strcmp(Args[1], "small");
  const int PathSizes[] = {131072, 1000003, 4194304},
            HotSizes[] = {128, 1000, 4096},
            DyadicSizes[] = {1 << 18, 1 << 21, 1 << 22},
            SumSizes[] = {1000003, 16000003};
  for (int S = 0; S < 3 && isWanted(Count, Args, "pathfinder"); ++S)
    benchPath(Small ? 100 + 400 * S : PathSizes[S]);
  for (int S = 0; S < 3 && isWanted(Count, Args, "hotspot"); ++S)
    benchHot(Small ? 5 + 40 * S : HotSizes[S]);
  for (int S = 0; S < 3 && isWanted(Count, Args, "dyadic"); ++S)
    benchDyadic(Small ? 1024 << S : DyadicSizes[S]);
  for (int S = 0; S < 2 && isWanted(Count, Args, "reduction"); ++S)
    benchSum(Small ? 700 + 44800 * S : SumSizes[S]);
  if (isWanted(Count, Args, "matmul"))
    for (int N = Small ? 64 : 512; N <= (Small ? 128 : SIZE); N *= 2)
      benchProduct(N);
  for (int S = 0; S < (Small ? 1 : 2) && isWanted(Count, Args, "n-body"); ++S)
    benchBodies(Small ? 700 : S ? 32768 : 8192);
  return Wrong != 0;
}
