//===- directives.c - Products and bodies with tiles by directive ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -DTILED=0: the natural loops. 1: fcw, 2: cache, both with the tiles of the
// CUDA versions. Data are on the device before timing.
//
//===----------------------------------------------------------------------===//

#include "data.h"

#ifndef TILED
#define TILED 1
#endif
#if TILED == 0
#define IMPL "natural"
#elif TILED == 1
#define IMPL "fcw"
#else
#define IMPL "cache"
#endif

#ifndef SIZE
#define SIZE 4096
#endif
enum { Tile = 16, Bodies = 256 };
typedef float Row[SIZE];

static void product(int N, Row *A, Row *B, Row *C) {
#if TILED == 0
#pragma acc parallel loop collapse(2) copyin(A[0 : N], B[0 : N])               \
    copyout(C[0 : N])
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      float Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += A[I][K] * B[K][J];
      C[I][J] = Sum;
    }
#else
#pragma acc parallel loop collapse(2) copyin(A[0 : N], B[0 : N])               \
    copyout(C[0 : N])
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      float Sum = 0;
      for (int L = 0; L < N; L += Tile) {
        int P = (I & (Tile - 1)) + L, Q = (J & (Tile - 1)) + L;
#if TILED == 1
#pragma acc fcw FETCH_ONLY(A[I : 0 : 0][Q : 0 : 0], B[P : 0 : 0][J : 0 : 0])
#else
#pragma acc cache(A[I : 1][L : Tile], B[L : Tile][J : 1])
#endif
        {
          // Full tiles as a loop of constant length.
          if (L + Tile <= N)
            for (int K = 0; K < Tile; ++K)
              Sum += A[I][L + K] * B[L + K][J];
          else
            for (int K = L; K < N; ++K)
              Sum += A[I][K] * B[K][J];
        }
      }
      C[I][J] = Sum;
    }
#endif
}

static inline void interact(Body Me, Body Other, float *X, float *Y, float *Z) {
  float DX = Other.X - Me.X, DY = Other.Y - Me.Y, DZ = Other.Z - Me.Z;
  float Root = 1.0f / __builtin_sqrtf(DX * DX + DY * DY + DZ * DZ + 1e-4f);
  float W = Other.Mass * Root * Root * Root;
  *X += W * DX;
  *Y += W * DY;
  *Z += W * DZ;
}

static void bodies(int N, const Body *P, Body *Out) {
#pragma acc parallel loop copyin(P[0 : N]) copyout(Out[0 : N])
  for (int I = 0; I < N; ++I) {
    Body Me = P[I];
    float X = 0, Y = 0, Z = 0;
#if TILED == 0
    for (int J = 0; J < N; ++J)
      interact(Me, P[J], &X, &Y, &Z);
#else
    for (int L = 0; L < N; L += Bodies) {
#if TILED == 1
#pragma acc fcw FETCH_ONLY(P[L : 0 : Bodies - 1])
#else
#pragma acc cache(P[L : Bodies])
#endif
      {
        if (L + Bodies <= N)
          for (int K = 0; K < Bodies; ++K)
            interact(Me, P[L + K], &X, &Y, &Z);
        else
          for (int J = L; J < N; ++J)
            interact(Me, P[J], &X, &Y, &Z);
      }
    }
#endif
    Out[I].X = X;
    Out[I].Y = Y;
    Out[I].Z = Z;
    Out[I].Mass = 0;
  }
}

/// Each point and its six neighbours; blocks of 4 x 4 x 16, a halo of 1.
static void stencil(int N, const Plane *A, Plane *B) {
#pragma acc parallel loop collapse(3) copyin(A[0 : N]) copyout(B[0 : N])
  for (int Z = 1; Z < N - 1; ++Z)
    for (int Y = 1; Y < N - 1; ++Y)
      for (int X = 1; X < N - 1; ++X) {
#if TILED == 1
#pragma acc fcw FETCH_ONLY(A[Z : 1 : 1][Y : 1 : 1][X : 1 : 1]) block(4, 4, 16)
#elif TILED == 2
#pragma acc cache(A[Z - 1 : 3][Y - 1 : 3][X - 1 : 3])
#endif
        B[Z][Y][X] = 0.4f * A[Z][Y][X] +
                     0.1f * (A[Z - 1][Y][X] + A[Z + 1][Y][X] + A[Z][Y - 1][X] +
                             A[Z][Y + 1][X] + A[Z][Y][X - 1] + A[Z][Y][X + 1]);
      }
}

static void benchStencil(int N) {
  Plane *A = malloc(sizeof(Plane) * (size_t)N);
  Plane *B = calloc((size_t)N, sizeof(Plane));
  stencilData(N, A);
  double Ms;
#pragma acc data copyin(A[0 : N]) copy(B[0 : N])
  {
    MEDIAN_OF(Ms, stencil(N, A, B));
  }
  report("stencil-3d", IMPL, N, Ms, (double)N * N * N, "Gcell/s",
         isStencil(N, A, B));
  free(A);
  free(B);
}

int main(int Count, char **Args) {
  int Small = Count > 1 && !strcmp(Args[1], "small"),
      Host = Count > 1 && !strcmp(Args[1], "host");
  int Sizes[] = {Small ? 70 : 512, Small ? 130 : 1024, Small ? 33 : 4096};
  for (int S = 0; S < (Host ? 2 : 3) && isWanted(Count, Args, "matmul"); ++S) {
    int N = Sizes[S];
    size_t Bytes = sizeof(Row) * (size_t)N;
    Row *A = malloc(Bytes), *B = malloc(Bytes), *C = calloc(1, Bytes);
    productData(N, SIZE, *A, *B);
    double Ms;
#pragma acc data copyin(A[0 : N], B[0 : N]) copyout(C[0 : N])
    {
      MEDIAN_OF(Ms, product(N, A, B, C));
    }
    report("matmul", IMPL, N, Ms, 2.0 * N * N * N, "GF",
           isProduct(N, SIZE, *A, *B, *C));
    free(A);
    free(B);
    free(C);
  }
  if (!Host && isWanted(Count, Args, "stencil-3d")) {
    benchStencil(Small ? 21 : 100);
    benchStencil(Small ? 3 : Edge);
  }
  const int Counts[] = {Small  ? 700
                        : Host ? 8192
                               : 32768,
                        Host ? 32768 : 131072, 1048576};
  // Natural loops take ten times as long.
  for (int S = 0; S < (Small   ? 1
                       : Host  ? 2
                       : TILED ? 3
                               : 2) &&
                  isWanted(Count, Args, "n-body");
       ++S) {
    const int N = Counts[S];
    Body *P = aligned_alloc(16, sizeof(Body) * (size_t)N),
         *Out = aligned_alloc(16, sizeof(Body) * (size_t)N);
    bodyData(N, P);
    double Ms;
#pragma acc data copyin(P[0 : N]) copyout(Out[0 : N])
    {
      MEDIAN_OF(Ms, bodies(N, P, Out));
    }
    report("n-body", IMPL, N, Ms, (double)N * N * 1e-0, "Gpairs",
           areBodies(N, P, Out));
    free(P);
    free(Out);
  }
  return Wrong != 0;
}
