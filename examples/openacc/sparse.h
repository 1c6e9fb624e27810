/*===- sparse.h - A sparse matrix for the spmul and cg demos --------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Compressed rows. The matrix is symmetric and diagonally dominant, hence
|* positive definite: a band of irregular width, and in every row the diagonal.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_EXAMPLES_SPARSE_H
#define ACCX_EXAMPLES_SPARSE_H

#include "demo_acc.h"

typedef struct {
  int Rows, Entries;
  int *Start;  /* Rows + 1: where each row begins in the two below. */
  int *Column; /* Entries */
  double *Value;
} SparseMatrix;

/** Whether I and J, of a band Reach wide, are coupled; the same for J and I. */
static inline int sparseCoupled(int I, int J, int Reach) {
  int Low = I < J ? I : J, High = I < J ? J : I;
  return High - Low <= Reach &&
         demoValue((size_t)Low * 131 + (size_t)(High - Low)) < 0.3f;
}

static inline SparseMatrix sparseMake(int Rows, int Reach) {
  SparseMatrix M;
  M.Rows = Rows;
  M.Start = (int *)demoAlloc((size_t)Rows + 1, sizeof(int));
  size_t Room = (size_t)Rows * (2 * (size_t)Reach + 1);
  M.Column = (int *)demoAlloc(Room, sizeof(int));
  M.Value = (double *)demoAlloc(Room, sizeof(double));
  int At = 0;
  for (int I = 0; I < Rows; ++I) {
    M.Start[I] = At;
    int Diagonal = At++;
    double Sum = 0;
    for (int J = I - Reach; J <= I + Reach; ++J)
      if (J >= 0 && J < Rows && J != I && sparseCoupled(I, J, Reach)) {
        M.Column[At] = J;
        M.Value[At++] = -1.0 - 0.001 * ((I + J) % 7);
        Sum += 1.0 + 0.001 * ((I + J) % 7);
      }
    M.Column[Diagonal] = I;
    M.Value[Diagonal] = Sum + 0.05 + 0.01 * (I % 5);
  }
  M.Start[Rows] = M.Entries = At;
  return M;
}

/** Y = M * X, sequentially. */
static inline void sparseMultiply(const SparseMatrix *M, const double *X,
                                  double *Y) {
  for (int I = 0; I < M->Rows; ++I) {
    double Sum = 0;
    for (int K = M->Start[I]; K < M->Start[I + 1]; ++K)
      Sum += M->Value[K] * X[M->Column[K]];
    Y[I] = Sum;
  }
}

static inline void sparseFree(SparseMatrix *M) {
  free(M->Start), free(M->Column), free(M->Value);
}

#endif /* ACCX_EXAMPLES_SPARSE_H */
