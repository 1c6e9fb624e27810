//===- variants.c - The same loops, spelled otherwise ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of directives.c as OpenACC and OpenMP, collapsed and as nested loops,
// with arrays of variable length and one dimension. -DINDEX=type gives all
// counters another type, -DALONE=number leaves one kernel in the program. The
// CUDA versions of rivals.cu are theirs, too.
//
//===----------------------------------------------------------------------===//

#include "measure.h"

#ifndef INDEX
#define INDEX int
#endif
#ifndef IMPL
#define IMPL "accx"
#endif
#define TEXT_OF(X) #X
#define TEXT(X) TEXT_OF(X)
#define NAMED(SPELLING) IMPL "-" TEXT(INDEX) "-" SPELLING
#ifdef ALONE
#define HAS(NUMBER) (ALONE == (NUMBER))
#else
#define HAS(NUMBER) 1
#endif

typedef void StreamFn(INDEX N, float A, const float *X, float *Y);
typedef void SweepFn(INDEX N, const float *A, float *B);
typedef float HeatFn(INDEX N, const float *A, float *B);
typedef void HotspotFn(INDEX N, const float *T, const float *P, float *O);

#if HAS(1)
static void saxpyAcc(INDEX N, float A, const float *X, float *Y) {
#pragma acc parallel loop gang vector default(present)
  for (INDEX I = 0; I < N; ++I)
    Y[I] = A * X[I] + Y[I];
}
#endif
#if HAS(2)
static void saxpyKernels(INDEX N, float A, const float *X, float *Y) {
#pragma acc kernels loop independent default(present)
  for (INDEX I = 0; I < N; ++I)
    Y[I] = A * X[I] + Y[I];
}
#endif
#if HAS(3)
static void saxpyLoop(INDEX N, float A, const float *X, float *Y) {
#pragma omp target teams loop
  for (INDEX I = 0; I < N; ++I)
    Y[I] = A * X[I] + Y[I];
}
#endif

#define CELL3(A, B)                                                            \
  B[Z][Y][X] = 0.5f * A[Z][Y][X] +                                             \
               0.08f * (A[Z][Y][X - 1] + A[Z][Y][X + 1] + A[Z][Y - 1][X] +     \
                        A[Z][Y + 1][X] + A[Z - 1][Y][X] + A[Z + 1][Y][X])

#if HAS(4)
static void stencilVla(INDEX N, const float *From, float *To) {
  const float(*A)[N][N] = (const float(*)[N][N])From;
  float(*B)[N][N] = (float(*)[N][N])To;
#pragma omp target teams distribute parallel for collapse(3)
  for (INDEX Z = 1; Z < N - 1; ++Z)
    for (INDEX Y = 1; Y < N - 1; ++Y)
      for (INDEX X = 1; X < N - 1; ++X)
        CELL3(A, B);
}
#endif
#if HAS(5)
static void stencilAcc(INDEX N, const float *From, float *To) {
  const float(*A)[N][N] = (const float(*)[N][N])From;
  float(*B)[N][N] = (float(*)[N][N])To;
#pragma acc parallel loop collapse(3) default(present)
  for (INDEX Z = 1; Z < N - 1; ++Z)
    for (INDEX Y = 1; Y < N - 1; ++Y)
      for (INDEX X = 1; X < N - 1; ++X)
        CELL3(A, B);
}
#endif
#if HAS(6)
static void stencilGangVector(INDEX N, const float *From, float *To) {
  const float(*A)[N][N] = (const float(*)[N][N])From;
  float(*B)[N][N] = (float(*)[N][N])To;
#pragma acc parallel loop gang collapse(2) default(present)
  for (INDEX Z = 1; Z < N - 1; ++Z)
    for (INDEX Y = 1; Y < N - 1; ++Y) {
#pragma acc loop vector
      for (INDEX X = 1; X < N - 1; ++X)
        CELL3(A, B);
    }
}
#endif
#if HAS(7)
static void stencilLevels(INDEX N, const float *A, float *B) {
#pragma omp target teams distribute collapse(2)
  for (INDEX Z = 1; Z < N - 1; ++Z)
    for (INDEX Y = 1; Y < N - 1; ++Y) {
#pragma omp parallel for
      for (INDEX X = 1; X < N - 1; ++X)
        B[(Z * N + Y) * N + X] =
            0.5f * A[(Z * N + Y) * N + X] +
            0.08f *
                (A[(Z * N + Y) * N + X - 1] + A[(Z * N + Y) * N + X + 1] +
                 A[(Z * N + Y - 1) * N + X] + A[(Z * N + Y + 1) * N + X] +
                 A[((Z - 1) * N + Y) * N + X] + A[((Z + 1) * N + Y) * N + X]);
    }
}
#endif

#define CELL2(A, B)                                                            \
  float V = 0.25f * (A[Y - 1][X] + A[Y + 1][X] + A[Y][X - 1] + A[Y][X + 1]);   \
  E = fmaxf(E, fabsf(V - A[Y][X]));                                            \
  B[Y][X] = V

#if HAS(8)
static float heatVla(INDEX N, const float *From, float *To) {
  const float(*A)[N] = (const float(*)[N])From;
  float(*B)[N] = (float(*)[N])To;
  float E = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(max : E)
  for (INDEX Y = 1; Y < N - 1; ++Y)
    for (INDEX X = 1; X < N - 1; ++X) {
      CELL2(A, B);
    }
  return E;
}
#endif
#if HAS(9)
static float heatAcc(INDEX N, const float *From, float *To) {
  const float(*A)[N] = (const float(*)[N])From;
  float(*B)[N] = (float(*)[N])To;
  float E = 0;
#pragma acc parallel loop collapse(2) reduction(max : E) default(present)
  for (INDEX Y = 1; Y < N - 1; ++Y)
    for (INDEX X = 1; X < N - 1; ++X) {
      CELL2(A, B);
    }
  return E;
}
#endif
#if HAS(10)
static float heatGangVector(INDEX N, const float *From, float *To) {
  const float(*A)[N] = (const float(*)[N])From;
  float(*B)[N] = (float(*)[N])To;
  float E = 0;
#pragma acc parallel loop gang reduction(max : E) default(present)
  for (INDEX Y = 1; Y < N - 1; ++Y) {
#pragma acc loop vector reduction(max : E)
    for (INDEX X = 1; X < N - 1; ++X) {
      CELL2(A, B);
    }
  }
  return E;
}
#endif

#define SPOT(T, P, O)                                                          \
  float C = T[Y][X];                                                           \
  float North = Y > 0 ? T[Y - 1][X] : C, West = X > 0 ? T[Y][X - 1] : C;       \
  float South = Y < N - 1 ? T[Y + 1][X] : C;                                   \
  float East = X < N - 1 ? T[Y][X + 1] : C;                                    \
  O[Y][X] = C + 0.2f * (P[Y][X] + (North + South - 2 * C) * 0.3f +             \
                        (East + West - 2 * C) * 0.3f + (0.5f - C) * 0.01f)

#if HAS(11)
static void hotspotVla(INDEX N, const float *In, const float *Power,
                       float *Out) {
  const float(*T)[N] = (const float(*)[N])In,
        (*P)[N] = (const float(*)[N])Power;
  float(*O)[N] = (float(*)[N])Out;
#pragma omp target teams distribute parallel for collapse(2)
  for (INDEX Y = 0; Y < N; ++Y)
    for (INDEX X = 0; X < N; ++X) {
      SPOT(T, P, O);
    }
}
#endif
#if HAS(12)
static void hotspotGangVector(INDEX N, const float *In, const float *Power,
                              float *Out) {
  const float(*T)[N] = (const float(*)[N])In,
        (*P)[N] = (const float(*)[N])Power;
  float(*O)[N] = (float(*)[N])Out;
#pragma acc parallel loop gang default(present)
  for (INDEX Y = 0; Y < N; ++Y) {
#pragma acc loop vector
    for (INDEX X = 0; X < N; ++X) {
      SPOT(T, P, O);
    }
  }
}
#endif
#if HAS(13)
static void nbodyRows(INDEX N, const float *From, float *To) {
  const float(*P)[4] = (const float(*)[4])From;
  float(*F)[4] = (float(*)[4])To;
#pragma acc parallel loop gang vector default(present)
  for (INDEX I = 0; I < N; ++I) {
    float X = 0, Y = 0, Z = 0;
    for (INDEX J = 0; J < N; ++J) {
      float DX = P[J][0] - P[I][0], DY = P[J][1] - P[I][1],
            DZ = P[J][2] - P[I][2];
      float R = 1 / sqrtf(DX * DX + DY * DY + DZ * DZ + 1e-4f);
      float W = P[J][3] * R * R * R;
      X += W * DX;
      Y += W * DY;
      Z += W * DZ;
    }
    F[I][0] = X;
    F[I][1] = Y;
    F[I][2] = Z;
    F[I][3] = 0;
  }
}
#endif

static inline void stream(INDEX N, StreamFn *Run, const char *Impl) {
  float *X = filled((size_t)N), *Y = filled((size_t)N);
  double Ms;
  int Right = 1;
#pragma omp target data map(to : X[ : N]) map(to : Y[ : N])
  {
    Run(N, 0.5f, X, Y);
#pragma omp target update from(Y[ : N])
    for
      SPREAD(I, (size_t)N)
    Right &= Y[I] == 0.5f * noise(I) + noise(I);
    MEDIAN_OF(Ms, Run(N, 0.001f, X, Y));
  }
  report("saxpy", Impl, (long)N, Ms, 12.0 * (double)N, "GB/s", Right);
  free(X);
  free(Y);
}

static inline void sweep(INDEX N, SweepFn *Run, const char *Impl) {
  size_t W = (size_t)N, All = W * W * W, P = W * W;
  float *A = filled(All), *B = filled(All);
  double Ms;
  int Right = 1;
#pragma omp target data map(to : A[ : All], B[ : All])
  {
    Run(N, A, B);
#pragma omp target update from(B[ : All])
    for
      SPREAD(I, All) {
        size_t X = I % W, Y = I / W % W, Z = I / P;
        float Want = A[I];
        if (X && Y && Z && X + 1 < W && Y + 1 < W && Z + 1 < W)
          Want = 0.5f * A[I] + 0.08f * (A[I - 1] + A[I + 1] + A[I - W] +
                                        A[I + W] + A[I - P] + A[I + P]);
        Right &= isNear(B[I], Want, 1e-5);
      }
    MEDIAN_OF(
        Ms, for (int S = 0; S < STENCIL_STEPS; S += 2) {
          Run(N, A, B);
          Run(N, B, A);
        });
  }
  report("stencil", Impl, (long)N, Ms, (double)All * STENCIL_STEPS, "Gcell/s",
         Right);
  free(A);
  free(B);
}

static inline void warm(INDEX N, HeatFn *Run, const char *Impl) {
  size_t W = (size_t)N, All = W * W;
  float *A = filled(All), *B = filled(All);
  double Ms, Most = 0;
  int Right = 1;
#pragma omp target data map(to : A[ : All], B[ : All])
  {
    float E = Run(N, A, B);
#pragma omp target update from(B[ : All])
    for (size_t Y = 1; Y + 1 < W; ++Y)
      for (size_t X = 1; X + 1 < W; ++X) {
        size_t I = Y * W + X;
        float V = 0.25f * (A[I - W] + A[I + W] + A[I - 1] + A[I + 1]);
        Right &= isNear(B[I], V, 1e-5);
        Most = fmax(Most, fabs(V - A[I]));
      }
    Right &= isNear(E, Most, 1e-5);
    MEDIAN_OF(
        Ms, for (int S = 0; S < HEAT_STEPS; S += 2) {
          Run(N, A, B);
          Run(N, B, A);
        });
  }
  report("heat", Impl, (long)N, Ms, (double)All * HEAT_STEPS, "Gcell/s", Right);
  free(A);
  free(B);
}

static inline void spot(INDEX N, HotspotFn *Run, const char *Impl) {
  size_t W = (size_t)N, All = W * W;
  float *A = filled(All), *B = filled(All), *P = filled(All);
  double Ms;
  int Right = 1;
#pragma omp target data map(to : A[ : All], B[ : All], P[ : All])
  {
    Run(N, A, P, B);
#pragma omp target update from(B[ : All])
    for
      SPREAD(I, All) {
        size_t X = I % W, Y = I / W;
        float C = A[I], North = Y ? A[I - W] : C, West = X ? A[I - 1] : C,
              South = Y + 1 < W ? A[I + W] : C, East = X + 1 < W ? A[I + 1] : C;
        Right &= isNear(B[I],
                        C + 0.2f * (P[I] + (North + South - 2 * C) * 0.3f +
                                    (East + West - 2 * C) * 0.3f +
                                    (0.5f - C) * 0.01f),
                        1e-5);
      }
    MEDIAN_OF(
        Ms, for (int S = 0; S < HOTSPOT_STEPS; S += 2) {
          Run(N, A, P, B);
          Run(N, B, P, A);
        });
  }
  report("hotspot", Impl, (long)N, Ms, (double)All * HOTSPOT_STEPS, "Gcell/s",
         Right);
  free(A);
  free(B);
  free(P);
}

static inline void bodies(INDEX N, SweepFn *Run, const char *Impl) {
  float *P = filled(4 * (size_t)N), *F = filled(4 * (size_t)N);
  double Ms;
  int Right = 1;
#pragma omp target data map(to : P[ : 4 * N]) map(from : F[ : 4 * N])
  MEDIAN_OF(Ms, Run(N, P, F));
  for (size_t I = 0; I < (size_t)N; I += (size_t)N / 64 + 1) {
    double X = 0;
    for (size_t J = 0; J < (size_t)N; ++J) {
      double DX = P[4 * J] - P[4 * I], DY = P[4 * J + 1] - P[4 * I + 1],
             DZ = P[4 * J + 2] - P[4 * I + 2];
      X += P[4 * J + 3] * DX * pow(DX * DX + DY * DY + DZ * DZ + 1e-4, -1.5);
    }
    Right &= isNear(F[4 * I], X, 2e-2);
  }
  report("nbody", Impl, (long)N, Ms, 20.0 * (double)N * (double)N, "GF", Right);
  free(P);
  free(F);
}

int main(int Count, char **Args) {
  const int Small = Count > 1 && !strcmp(Args[1], "small");
  const INDEX Stream = (INDEX)(Small ? 100003 : 1 << 28),
              Cube = (INDEX)(Small ? 37 : 512),
              Square = (INDEX)(Small ? 129 : 4096),
              Bodies = (INDEX)(Small ? 1000 : 32768);
  (void)Stream, (void)Cube, (void)Square, (void)Bodies;
#if HAS(1)
  stream(Stream, saxpyAcc, NAMED("acc-gang-vector"));
#endif
#if HAS(2)
  stream(Stream, saxpyKernels, NAMED("acc-kernels"));
#endif
#if HAS(3)
  stream(Stream, saxpyLoop, NAMED("omp-loop"));
#endif
#if HAS(4)
  sweep(Cube, stencilVla, NAMED("omp-vla"));
#endif
#if HAS(5)
  sweep(Cube, stencilAcc, NAMED("acc-vla"));
#endif
#if HAS(6)
  sweep(Cube, stencilGangVector, NAMED("acc-gang-vector"));
#endif
#if HAS(7)
  sweep(Cube, stencilLevels, NAMED("omp-nested"));
#endif
#if HAS(8)
  warm(Square, heatVla, NAMED("omp-vla"));
#endif
#if HAS(9)
  warm(Square, heatAcc, NAMED("acc-vla"));
#endif
#if HAS(10)
  warm(Square, heatGangVector, NAMED("acc-gang-vector"));
#endif
#if HAS(11)
  spot(Square, hotspotVla, NAMED("omp-vla"));
#endif
#if HAS(12)
  spot(Square, hotspotGangVector, NAMED("acc-gang-vector"));
#endif
#if HAS(13)
  bodies(Bodies, nbodyRows, NAMED("acc-rows"));
#endif
  return Wrong != 0;
}
