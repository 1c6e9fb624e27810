//===- apps.cpp - Applications around one reduction -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat on a plate until it changes no more, a matrix product whose sums run
// across a vector, points in a circle, rows that are normalized by several
// loops each. As OpenACC, or as OpenMP with -DSPELL_OPENMP. Arguments: names of
// parts (heat, matmul, pi, rows), small.
//
//===----------------------------------------------------------------------===//

#include "data.h"

#ifndef IMPL
#define IMPL "accx"
#endif

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define COMMA ,
#ifdef SPELL_OPENMP
#define CELLS                                                                  \
  PRAGMA(omp target teams distribute parallel for collapse(2)                  \
             reduction(max : Most) map(tofrom : Most))
#define POINTS                                                                 \
  PRAGMA(omp target teams distribute parallel for reduction(+ : Inside))
#define ROWS PRAGMA(omp target teams distribute)
#define COLUMNS PRAGMA(omp parallel for)
#define SUM PRAGMA(omp simd reduction(+ : S))
#define EACH PRAGMA(omp parallel for)
#define REDUCED(OP, LIST) PRAGMA(omp parallel for reduction(OP : LIST))
#else
#define CELLS                                                                  \
  PRAGMA(acc parallel loop collapse(2) reduction(max : Most) default(present))
#define POINTS PRAGMA(acc parallel loop reduction(+ : Inside) default(present))
#define ROWS PRAGMA(acc parallel loop gang default(present))
#define COLUMNS PRAGMA(acc loop worker)
#define SUM PRAGMA(acc loop vector reduction(+ : S))
#define EACH PRAGMA(acc loop vector)
#define REDUCED(OP, LIST) PRAGMA(acc loop vector reduction(OP : LIST))
#endif

static float step(int Rows, int Columns, const float *A, float *B) {
  float Most = 0;
  CELLS
  for (int Y = 1; Y < Rows - 1; ++Y)
    for (int X = 1; X < Columns - 1; ++X) {
      const long I = long(Y) * Columns + X;
      const float V =
          0.25f * (A[I - Columns] + A[I + Columns] + A[I - 1] + A[I + 1]);
      Most = fmaxf(Most, fabsf(V - A[I]));
      B[I] = V;
    }
  return Most;
}

static int converge(const HeatCase &H, float *A, float *B) {
  for (int Step = 1;; ++Step) {
    const float Most = step(H.Rows, H.Columns, A, B);
    float *Swapped = A;
    A = B;
    B = Swapped;
    if (Most <= H.Enough || Step == H.Most)
      return Step;
  }
}

static void heat(const HeatCase &H) {
  const size_t All = size_t(H.Rows) * size_t(H.Columns);
  float *A = plate(H.Rows, H.Columns), *B = plate(H.Rows, H.Columns),
        *C = plate(H.Rows, H.Columns), *D = plate(H.Rows, H.Columns);
  const int Want = heatSteps(H, C, D);
  int Got = 0;
  double Times[5];
#pragma omp target data map(tofrom : A[ : All], B[ : All])
  for (double &Time : Times) {
    for (size_t I = 0; I < All; ++I)
      A[I] = B[I] = I < size_t(H.Columns) ? 100.f : 0.f;
#pragma omp target update to(A[ : All], B[ : All])
    const double Begin = nowMs();
    Got = converge(H, A, B);
    Time = nowMs() - Begin;
  }
  qsort(Times, 5, sizeof Times[0], compareTimes);
  // Rounding may decide when the last change is small enough.
  bool Right = abs(Got - Want) <= 1 + Want / 500;
  for (size_t I = 0; I < All; ++I)
    Right &= fabsf(A[I] - C[I]) <= 0.05f;
  char Name[40];
  snprintf(Name, sizeof Name, "heat-%dx%d", H.Rows, H.Columns);
  report(Name, IMPL, Got, Times[2], double(All) * Got, "Gcell/s", Right);
  for (float *P : {A, B, C, D})
    free(P);
}

static void product(int N, const float *A, const float *B, float *C) {
  ROWS for (int I = 0; I < N; ++I) {
    COLUMNS
    for (int J = 0; J < N; ++J) {
      float S = 0;
      SUM for (int K = 0; K < N; ++K) S +=
          A[long(I) * N + K] * B[long(K) * N + J];
      C[long(I) * N + J] = S;
    }
  }
}

static void matmul(int N) {
  const size_t All = size_t(N) * size_t(N), W = size_t(N);
  float *A = filled(All), *B = filled(All), *C = filled(All);
  double Ms;
#pragma omp target data map(to : A[ : All], B[ : All]) map(from : C[ : All])
  MEDIAN_OF(Ms, product(N, A, B, C));
  bool Right = true;
  for
    SPREAD(I, All) {
      double S = 0;
      for (size_t K = 0; K < W; ++K)
        S += double(A[I / W * W + K]) * double(B[K * W + I % W]);
      Right &= isNear(double(C[I]), S, 1e-4);
    }
  report("matmul", IMPL, N, Ms, 2.0 * double(All) * N, "GF", Right);
  for (float *P : {A, B, C})
    free(P);
}

static void softmax(int Rows, int Columns, const float *A, float *B) {
  ROWS for (int Y = 0; Y < Rows; ++Y) {
    const float *From = A + long(Y) * Columns;
    float *To = B + long(Y) * Columns;
    float Most = -INFINITY, Sum = 0;
    REDUCED(max, Most)
    for (int X = 0; X < Columns; ++X)
      Most = fmaxf(Most, From[X]);
    REDUCED(+, Sum)
    for (int X = 0; X < Columns; ++X)
      Sum += expf(From[X] - Most);
    const float Factor = 1 / Sum;
    EACH for (int X = 0; X < Columns; ++X) To[X] =
        expf(From[X] - Most) * Factor;
  }
}

static void standardize(int Rows, int Columns, const float *A, float *B) {
  ROWS for (int Y = 0; Y < Rows; ++Y) {
    const float *From = A + long(Y) * Columns;
    float *To = B + long(Y) * Columns;
    float Sum = 0, Squares = 0;
    REDUCED(+, Sum COMMA Squares)
    for (int X = 0; X < Columns; ++X) {
      Sum += From[X];
      Squares += From[X] * From[X];
    }
    const float Mean = Sum / float(Columns);
    const float Factor =
        1 / sqrtf(Squares / float(Columns) - Mean * Mean + 1e-5f);
    EACH for (int X = 0; X < Columns; ++X) To[X] = (From[X] - Mean) * Factor;
  }
}

static void rows(int Rows, int Columns) {
  const size_t All = size_t(Rows) * size_t(Columns);
  float *A = filled(All), *B = filled(All);
  double Ms;
#pragma omp target data map(to : A[ : All]) map(from : B[ : All])
  MEDIAN_OF(Ms, softmax(Rows, Columns, A, B));
  report("softmax", IMPL, Columns, Ms, 8.0 * double(All), "GB/s",
         areRows(Rows, Columns, A, B, /*IsSoftmax=*/true));
#pragma omp target data map(to : A[ : All]) map(from : B[ : All])
  MEDIAN_OF(Ms, standardize(Rows, Columns, A, B));
  report("standardize", IMPL, Columns, Ms, 8.0 * double(All), "GB/s",
         areRows(Rows, Columns, A, B, /*IsSoftmax=*/false));
  free(A);
  free(B);
}

static int inCircle(int N, const float *X, const float *Y) {
  int Inside = 0;
  POINTS
  for (int I = 0; I < N; ++I)
    Inside += X[I] * X[I] + Y[I] * Y[I] < 1;
  return Inside;
}

static void pi(int N) {
  auto *X = filledWith<float>(size_t(N)), *Y = filledWith<float>(size_t(N));
#pragma omp parallel for
  for (int I = 0; I < N; ++I) {
    X[I] = noise(2ul * size_t(I));
    Y[I] = noise(2ul * size_t(I) + 1);
  }
  double Ms;
  int Got = 0;
#pragma omp target data map(to : X[ : N], Y[ : N])
  MEDIAN_OF(Ms, Got = inCircle(N, X, Y));
  report("pi", IMPL, N, Ms, 8.0 * N, "GB/s", isPi(Got, X, Y, size_t(N)));
  free(X);
  free(Y);
}

int main(int Count, char **Args) {
  bool Small = false;
  for (int I = 1; I < Count; ++I)
    Small |= !strcmp(Args[I], "small");
  if (isWanted(Count, Args, "heat")) {
    heat(Small ? HeatCase{67, 43, 4000, 0.01f}
               : HeatCase{1023, 771, 4000, 0.01f});
    if (!Small)
      heat({4099, 4095, 500, 0.01f});
  }
  if (isWanted(Count, Args, "matmul"))
    for (int N : {Small ? 33 : 1023, Small ? 64 : 2048})
      matmul(N);
  if (isWanted(Count, Args, "pi"))
    for (int Log : {27, 28, 29})
      pi(Small ? 10007 : 1 << Log);
  if (isWanted(Count, Args, "rows"))
    for (int Columns : {512, 8191, 1000000})
      rows((Small ? 1 << 18 : 1 << 26) / (Small ? Columns / 7 : Columns),
           Small ? Columns / 7 : Columns);
  return Wrong != 0;
}
