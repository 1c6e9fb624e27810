//===- directives.c - Natural three-level code ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of workers, elements of vectors: no clause says how many of which. As
// OpenACC, or as OpenMP with -DSPELL_OPENMP. Data are on the device before
// timing.
//
//===----------------------------------------------------------------------===//

#include "../gridloop/measure.h"
#include "sizes.h"

#ifndef IMPL
#define IMPL "directives"
#endif

#ifdef SPELL_OPENMP
#define PRAGMA(TEXT) _Pragma(#TEXT)
#define ROWS PRAGMA(omp target teams distribute parallel for)
#define GANGS PRAGMA(omp target teams distribute)
#define WORKERS PRAGMA(omp parallel for)
#define VECTOR PRAGMA(omp simd)
#define SUM_VECTOR PRAGMA(omp simd reduction(+ : S))
#define MAX_VECTOR PRAGMA(omp simd reduction(max : S))
#else
#define PRAGMA(TEXT) _Pragma(#TEXT)
#define ROWS PRAGMA(acc parallel loop gang worker default(present))
#define GANGS PRAGMA(acc parallel loop gang default(present))
#define WORKERS PRAGMA(acc loop worker)
#define VECTOR PRAGMA(acc loop vector)
#define SUM_VECTOR PRAGMA(acc loop vector reduction(+ : S))
#define MAX_VECTOR PRAGMA(acc loop vector reduction(max : S))
#endif

static void matvec(int Rows, int Columns, const float *A, const float *X,
                   float *Y) {
  ROWS for (int I = 0; I < Rows; ++I) {
    float S = 0;
    SUM_VECTOR
    for (int J = 0; J < Columns; ++J)
      S += A[I * (long)Columns + J] * X[J];
    Y[I] = S;
  }
}

static void maxima(int Batches, int Rows, int Columns, const float *A,
                   float *Y) {
  GANGS
  for (int B = 0; B < Batches; ++B) {
    WORKERS
    for (int I = 0; I < Rows; ++I) {
      const long Row = B * (long)Rows + I;
      float S = 0;
      MAX_VECTOR
      for (int J = 0; J < Columns; ++J) {
        float V = A[Row * Columns + J];
        S = V > S ? V : S;
      }
      Y[Row] = S;
    }
  }
}

static void normalize(int Rows, int Columns, const float *A, float *Z) {
  ROWS for (int I = 0; I < Rows; ++I) {
    float S = 0;
    SUM_VECTOR
    for (int J = 0; J < Columns; ++J)
      S += A[I * (long)Columns + J];
    const float Scale = 1 / S;
    VECTOR
    for (int J = 0; J < Columns; ++J)
      Z[I * (long)Columns + J] = A[I * (long)Columns + J] * Scale;
  }
}

static void sparse(int Rows, const int *Begin, const int *Column,
                   const float *A, const float *X, float *Y) {
  ROWS for (int I = 0; I < Rows; ++I) {
    float S = 0;
    SUM_VECTOR
    for (int K = Begin[I]; K < Begin[I + 1]; ++K)
      S += A[K] * X[Column[K]];
    Y[I] = S;
  }
}

int main(int Count, char **Args) {
  const int Small = Count > 1 && !strcmp(Args[1], "small");
  const size_t N = Small ? SMALL_ELEMENTS : ELEMENTS;
  float *A = filled(N);
  float *Z = filled(N);
  float *Y = filled(N);
  double Ms;
#pragma omp target enter data map(to : A[ : N], Z[ : N], Y[ : N])
  for (int Shape = 0; Shape < SHAPES; ++Shape) {
    const int Columns = COLUMNS(Shape, Small);
    const int Rows = (int)(N / (size_t)Columns);
    MEDIAN_OF(Ms, matvec(Rows, Columns, A, Z, Y));
#pragma omp target update from(Y[ : Rows])
    report("matvec", IMPL, Columns, Ms, 4.0 * (double)N, "GB/s",
           checkMatvec(Rows, Columns, A, Z, Y));
    const int Workers = BATCH_ROWS;
    MEDIAN_OF(Ms, maxima(Rows / Workers, Workers, Columns, A, Y));
#pragma omp target update from(Y[ : Rows])
    report("maxima", IMPL, Columns, Ms, 4.0 * (double)N, "GB/s",
           checkMaxima(Rows / Workers * Workers, Columns, A, Y));
  }
  for (int Shape = 0; Shape < SHAPES; ++Shape) {
    const int Columns = COLUMNS(Shape, Small);
    const int Rows = (int)(N / (size_t)Columns);
    MEDIAN_OF(Ms, normalize(Rows, Columns, A, Z));
#pragma omp target update from(Z[ : N])
    report("normalize", IMPL, Columns, Ms, 8.0 * (double)N, "GB/s",
           checkNormalize(Rows, Columns, A, Z));
  }
  const int Rows = (int)(N / SPARSE_MEAN);
  int *Begin = rowsOf(Rows);
  const size_t Entries = (size_t)Begin[Rows];
  int *Column = columnsOf(Entries, Rows);
#pragma omp target enter data map(to : Begin[ : Rows + 1], Column[ : Entries])
  MEDIAN_OF(Ms, sparse(Rows, Begin, Column, A, Z, Y));
#pragma omp target update from(Y[ : Rows])
  report("sparse", IMPL, Rows, Ms, 8.0 * (double)Entries, "GB/s",
         checkSparse(Rows, Begin, Column, A, Z, Y));
  return Wrong != 0;
}
