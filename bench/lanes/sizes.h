//===- sizes.h - Shapes and checks of both sides -----------------*- C -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the directive programs and their CUDA rivals share. Header only; C and
// CUDA C++.
//
//===----------------------------------------------------------------------===//

#ifndef LANES_SIZES_H
#define LANES_SIZES_H

#define ELEMENTS ((size_t)1 << 27)
#define SMALL_ELEMENTS ((size_t)1 << 18)
#define SHAPES 3
/* Long, middle and short rows. */
#define COLUMNS(SHAPE, SMALL)                                                  \
  ((SHAPE) == 0 ? ((SMALL) ? 4096 : 16384) : (SHAPE) == 1 ? 1000 : 64)
/* Rows of a batch. */
#define BATCH_ROWS 16
/* Entries of a sparse row, in the mean. */
#define SPARSE_MEAN 50

static inline int checkMatvec(int Rows, int Columns, const float *A,
                              const float *X, const float *Y) {
  for
    SPREAD(I, (size_t)Rows) {
      double S = 0;
      for (int J = 0; J < Columns; ++J)
        S += (double)A[I * (size_t)Columns + J] * X[J];
      if (!isNear(Y[I], S, 1e-3))
        return 0;
    }
  return 1;
}

static inline int checkMaxima(int Rows, int Columns, const float *A,
                              const float *Y) {
  for
    SPREAD(I, (size_t)Rows) {
      float S = 0;
      for (int J = 0; J < Columns; ++J)
        if (A[I * (size_t)Columns + J] > S)
          S = A[I * (size_t)Columns + J];
      if (Y[I] != S)
        return 0;
    }
  return 1;
}

static inline int checkNormalize(int Rows, int Columns, const float *A,
                                 const float *Z) {
  for
    SPREAD(I, (size_t)Rows) {
      double S = 0;
      for (int J = 0; J < Columns; ++J)
        S += A[I * (size_t)Columns + J];
      for (int J = 0; J < Columns; ++J) {
        const size_t At = I * (size_t)Columns + J;
        if (!isNear(Z[At] * S, A[At], 1e-3))
          return 0;
      }
    }
  return 1;
}

/* Rows of 0 to twice the mean, never more than all elements. */
static inline int *rowsOf(int Rows) {
  int *Begin = (int *)malloc(((size_t)Rows + 1) * sizeof(int));
  long Entries = 0;
  for (int I = 0; I <= Rows; ++I) {
    Begin[I] = (int)Entries;
    Entries += (long)(noise((unsigned long)I) * (2 * SPARSE_MEAN - 3));
  }
  return Begin;
}

static inline int *columnsOf(size_t Entries, int Rows) {
  int *Column = (int *)malloc((Entries + 1) * sizeof(int));
  for (size_t K = 0; K < Entries; ++K)
    Column[K] = (int)((K * 7 + (size_t)(noise(K) * 64)) % (size_t)Rows);
  return Column;
}

static inline int checkSparse(int Rows, const int *Begin, const int *Column,
                              const float *A, const float *X, const float *Y) {
  for
    SPREAD(I, (size_t)Rows) {
      double S = 0;
      for (int K = Begin[I]; K < Begin[I + 1]; ++K)
        S += (double)A[K] * X[Column[K]];
      if (!isNear(Y[I], S, 1e-3))
        return 0;
    }
  return 1;
}

#endif /* LANES_SIZES_H */
