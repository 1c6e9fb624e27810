//===- directives.c - Natural OpenMP code of the grid-loop benchmarks -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What users write: no clause about teams, threads or schedules. -DINDEX=type
// gives all counters another type. Data are on the device before timing.
//
//===----------------------------------------------------------------------===//

#include "measure.h"

#ifndef INDEX
#define INDEX int
#endif
#ifndef IMPL
#define IMPL "directives"
#endif

static void saxpy(INDEX N, float A, const float *X, float *Y) {
#pragma omp target teams distribute parallel for map(to : X[ : N])             \
    map(tofrom : Y[ : N])
  for (INDEX I = 0; I < N; ++I)
    Y[I] = A * X[I] + Y[I];
}

static void triad(INDEX N, float A, const float *X, const float *Y, float *Z) {
#pragma omp target teams distribute parallel for map(to : X[ : N], Y[ : N])    \
    map(from : Z[ : N])
  for (INDEX I = 0; I < N; ++I)
    Z[I] = X[I] + A * Y[I];
}

static void copy(INDEX N, const float *X, float *Z) {
#pragma omp target teams distribute parallel for map(to : X[ : N])             \
    map(from : Z[ : N])
  for (INDEX I = 0; I < N; ++I)
    Z[I] = X[I];
}

static float sum(INDEX N, const float *X) {
  float S = 0;
#pragma omp target teams distribute parallel for map(to : X[ : N])             \
    reduction(+ : S)
  for (INDEX I = 0; I < N; ++I)
    S += X[I];
  return S;
}

static void stencil(INDEX N, const float *A, float *B) {
  size_t All = (size_t)N * (size_t)N * (size_t)N;
#pragma omp target teams distribute parallel for collapse(3)                   \
    map(to : A[ : All]) map(tofrom : B[ : All])
  for (INDEX Z = 1; Z < N - 1; ++Z)
    for (INDEX Y = 1; Y < N - 1; ++Y)
      for (INDEX X = 1; X < N - 1; ++X)
        B[(Z * N + Y) * N + X] =
            0.5f * A[(Z * N + Y) * N + X] +
            0.08f *
                (A[(Z * N + Y) * N + X - 1] + A[(Z * N + Y) * N + X + 1] +
                 A[(Z * N + Y - 1) * N + X] + A[(Z * N + Y + 1) * N + X] +
                 A[((Z - 1) * N + Y) * N + X] + A[((Z + 1) * N + Y) * N + X]);
}

static float heat(INDEX N, const float *A, float *B) {
  size_t All = (size_t)N * (size_t)N;
  float E = 0;
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : A[ : All]) map(tofrom : B[ : All]) reduction(max : E)
  for (INDEX Y = 1; Y < N - 1; ++Y)
    for (INDEX X = 1; X < N - 1; ++X) {
      float V = 0.25f * (A[(Y - 1) * N + X] + A[(Y + 1) * N + X] +
                         A[Y * N + X - 1] + A[Y * N + X + 1]);
      E = fmaxf(E, fabsf(V - A[Y * N + X]));
      B[Y * N + X] = V;
    }
  return E;
}

static void hotspot(INDEX N, const float *T, const float *P, float *O) {
  size_t All = (size_t)N * (size_t)N;
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : T[ : All], P[ : All]) map(tofrom : O[ : All])
  for (INDEX Y = 0; Y < N; ++Y)
    for (INDEX X = 0; X < N; ++X) {
      float C = T[Y * N + X];
      float North = Y > 0 ? T[(Y - 1) * N + X] : C;
      float South = Y < N - 1 ? T[(Y + 1) * N + X] : C;
      float West = X > 0 ? T[Y * N + X - 1] : C;
      float East = X < N - 1 ? T[Y * N + X + 1] : C;
      O[Y * N + X] =
          C + 0.2f * (P[Y * N + X] + (North + South - 2 * C) * 0.3f +
                      (East + West - 2 * C) * 0.3f + (0.5f - C) * 0.01f);
    }
}

static void nbody(INDEX N, const float *P, float *F) {
#pragma omp target teams distribute parallel for map(to : P[ : 4 * N])         \
    map(from : F[ : 4 * N])
  for (INDEX I = 0; I < N; ++I) {
    float X = 0, Y = 0, Z = 0;
    for (INDEX J = 0; J < N; ++J) {
      float DX = P[4 * J] - P[4 * I], DY = P[4 * J + 1] - P[4 * I + 1],
            DZ = P[4 * J + 2] - P[4 * I + 2];
      float R = 1 / sqrtf(DX * DX + DY * DY + DZ * DZ + 1e-4f);
      float W = P[4 * J + 3] * R * R * R;
      X += W * DX;
      Y += W * DY;
      Z += W * DZ;
    }
    F[4 * I] = X;
    F[4 * I + 1] = Y;
    F[4 * I + 2] = Z;
    F[4 * I + 3] = 0;
  }
}

static void streams(INDEX N) {
  float *X = filled((size_t)N), *Y = filled((size_t)N), *Z = filled((size_t)N);
  double Ms, Bytes = 4.0 * (double)N, S = 0;
  int Right = 1;
#pragma omp target data map(to : X[ : N]) map(alloc : Y[ : N], Z[ : N])
  {
#pragma omp target update to(Y[ : N])
    saxpy(N, 0.5f, X, Y);
#pragma omp target update from(Y[ : N])
    for
      SPREAD(I, (size_t)N)
    Right &= Y[I] == 0.5f * noise(I) + noise(I);
    MEDIAN_OF(Ms, saxpy(N, 0.001f, X, Y));
    report("saxpy", IMPL, (long)N, Ms, 3 * Bytes, "GB/s", Right);

    for (size_t I = 0; I < (size_t)N; ++I)
      Y[I] = noise(I + 7);
#pragma omp target update to(Y[ : N])
    MEDIAN_OF(Ms, triad(N, 0.5f, X, Y, Z));
#pragma omp target update from(Z[ : N])
    Right = 1;
    for
      SPREAD(I, (size_t)N)
    Right &= isNear(Z[I], noise(I) + 0.5f * noise(I + 7), 1e-6);
    report("triad", IMPL, (long)N, Ms, 3 * Bytes, "GB/s", Right);

    MEDIAN_OF(Ms, copy(N, X, Z));
#pragma omp target update from(Z[ : N])
    report("copy", IMPL, (long)N, Ms, 2 * Bytes, "GB/s",
           !memcmp(X, Z, (size_t)N * sizeof(float)));

    float Got = 0;
    MEDIAN_OF(Ms, Got = sum(N, X));
    for (size_t I = 0; I < (size_t)N; ++I)
      S += X[I];
    report("sum", IMPL, (long)N, Ms, Bytes, "GB/s", isNear(Got, S, 1e-4));
  }
  free(X);
  free(Y);
  free(Z);
}

static void cube(INDEX N) {
  size_t All = (size_t)N * (size_t)N * (size_t)N, P = (size_t)N * (size_t)N;
  float *A = filled(All), *B = filled(All);
  double Ms;
  int Right = 1;
#pragma omp target data map(to : A[ : All], B[ : All])
  {
    stencil(N, A, B);
#pragma omp target update from(B[ : All])
    for
      SPREAD(I, All) {
        size_t X = I % (size_t)N, Y = I / (size_t)N % (size_t)N, Z = I / P;
        float Want = A[I];
        if (X && Y && Z && X + 1 < (size_t)N && Y + 1 < (size_t)N &&
            Z + 1 < (size_t)N)
          Want = 0.5f * A[I] + 0.08f * (A[I - 1] + A[I + 1] + A[I - (size_t)N] +
                                        A[I + (size_t)N] + A[I - P] + A[I + P]);
        Right &= isNear(B[I], Want, 1e-5);
      }
    MEDIAN_OF(
        Ms, for (int S = 0; S < STENCIL_STEPS; S += 2) {
          stencil(N, A, B);
          stencil(N, B, A);
        });
  }
  report("stencil", IMPL, (long)N, Ms, (double)All * STENCIL_STEPS, "Gcell/s",
         Right);
  free(A);
  free(B);
}

static void squares(INDEX N) {
  size_t All = (size_t)N * (size_t)N, W = (size_t)N;
  float *A = filled(All), *B = filled(All), *P = filled(All);
  double Ms, Most = 0;
  int Right = 1;
#pragma omp target data map(to : A[ : All], B[ : All], P[ : All])
  {
    float E = heat(N, A, B);
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
          E = heat(N, A, B);
          E = heat(N, B, A);
        });
    report("heat", IMPL, (long)N, Ms, (double)All * HEAT_STEPS, "Gcell/s",
           Right);

    for (size_t I = 0; I < All; ++I)
      A[I] = noise(I);
#pragma omp target update to(A[ : All])
    hotspot(N, A, P, B);
#pragma omp target update from(B[ : All])
    Right = 1;
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
          hotspot(N, A, P, B);
          hotspot(N, B, P, A);
        });
    report("hotspot", IMPL, (long)N, Ms, (double)All * HOTSPOT_STEPS, "Gcell/s",
           Right);
  }
  free(A);
  free(B);
  free(P);
}

static void bodies(INDEX N) {
  float *P = filled(4 * (size_t)N), *F = filled(4 * (size_t)N);
  double Ms;
  int Right = 1;
#pragma omp target data map(to : P[ : 4 * N]) map(from : F[ : 4 * N])
  MEDIAN_OF(Ms, nbody(N, P, F));
  for (size_t I = 0; I < (size_t)N; I += (size_t)N / 64 + 1) {
    double X = 0;
    for (size_t J = 0; J < (size_t)N; ++J) {
      double DX = P[4 * J] - P[4 * I], DY = P[4 * J + 1] - P[4 * I + 1],
             DZ = P[4 * J + 2] - P[4 * I + 2];
      X += P[4 * J + 3] * DX * pow(DX * DX + DY * DY + DZ * DZ + 1e-4, -1.5);
    }
    Right &= isNear(F[4 * I], X, 2e-2);
  }
  report("nbody", IMPL, (long)N, Ms, 20.0 * (double)N * (double)N, "GF", Right);
  free(P);
  free(F);
}

int main(int Count, char **Args) {
  const int Small = Count > 1 && !strcmp(Args[1], "small");
  if (isWanted(Count, Args, "streams"))
    streams((INDEX)(Small ? 100003 : 1 << 28));
  if (isWanted(Count, Args, "short"))
    streams((INDEX)65536);
  if (isWanted(Count, Args, "cube"))
    cube((INDEX)(Small ? 37 : 512));
  if (isWanted(Count, Args, "squares"))
    squares((INDEX)(Small ? 129 : 4096));
  if (isWanted(Count, Args, "bodies"))
    bodies((INDEX)(Small ? 1000 : 32768));
  return Wrong != 0;
}
