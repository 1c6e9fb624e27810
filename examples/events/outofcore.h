/*===- outofcore.h - Matrices in files ------------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* What the two programs for a product of matrices in files share: the files,
|* which hold the matrices row by row, and a check of the whole result by
|* C x = A (B x), which takes one pass over each file. The numbers are small
|* integers, so that all sums are exact.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_EXAMPLES_OUTOFCORE_H
#define ACCX_EXAMPLES_OUTOFCORE_H

#include "events.h"

/** N x N numbers each; the device has panels of Rows rows of them. */
typedef struct {
  int N, Rows, Panels;
  int A, B, C; /**< Descriptors. */
} Product;

static inline float outofcoreValue(size_t I, int Seed) {
  return (float)((I * 7919 + (size_t)Seed * 104729) % 17) - 8;
}

static inline int outofcoreFile(const char *Folder, const char *Name) {
  char Path[4096];
  snprintf(Path, sizeof(Path), "%s/%s", Folder, Name);
  const int File = eventsOpen(Path, O_RDWR | O_CREAT | O_TRUNC);
  unlink(Path); /* It goes with the descriptor. */
  return File;
}

/** Rows of the last panel are fewer where Rows does not divide N. */
static inline int outofcoreRows(const Product *P, int Panel) {
  const int Left = P->N - Panel * P->Rows;
  return Left < P->Rows ? Left : P->Rows;
}

static inline void outofcoreBegin(Product *P, int N, int Rows,
                                  const char *Folder) {
  P->N = N;
  P->Rows = Rows < N ? Rows : N;
  P->Panels = (N + P->Rows - 1) / P->Rows;
  P->A = outofcoreFile(Folder, "outofcore.a");
  P->B = outofcoreFile(Folder, "outofcore.b");
  P->C = outofcoreFile(Folder, "outofcore.c");
  const size_t Bytes = (size_t)N * sizeof(float);
  float *Row = (float *)malloc(Bytes);
  for (int I = 0; I < N; ++I)
    for (int F = 0; F < 2; ++F) {
      for (int J = 0; J < N; ++J)
        Row[J] = outofcoreValue((size_t)I * (size_t)N + (size_t)J, F);
      eventsWrite(F ? P->B : P->A, Row, Bytes, (off_t)I * (off_t)Bytes);
    }
  free(Row);
}

/** To = the matrix in File times X. */
static inline void outofcoreTimes(const Product *P, int File, const double *X,
                                  double *To) {
  const size_t Bytes = (size_t)P->N * sizeof(float);
  float *Row = (float *)malloc(Bytes);
  for (int I = 0; I < P->N; ++I) {
    eventsRead(File, Row, Bytes, (off_t)I * (off_t)Bytes);
    To[I] = 0;
    for (int J = 0; J < P->N; ++J)
      To[I] += Row[J] * X[J];
  }
  free(Row);
}

/** Whether the file of C has the product; closes the files. */
static inline int outofcoreEnd(const Product *P) {
  double *V = (double *)malloc(4 * (size_t)P->N * sizeof(double));
  double *X = V, *Bx = V + P->N, *ABx = V + 2 * P->N, *Cx = V + 3 * P->N;
  for (int I = 0; I < P->N; ++I)
    X[I] = I % 5 + 1;
  outofcoreTimes(P, P->B, X, Bx);
  outofcoreTimes(P, P->A, Bx, ABx);
  outofcoreTimes(P, P->C, X, Cx);
  int Good = 1;
  for (int I = 0; I < P->N; ++I)
    Good = Good && Cx[I] == ABx[I];
  free(V);
  close(P->A);
  close(P->B);
  close(P->C);
  return Good;
}

#endif /* ACCX_EXAMPLES_OUTOFCORE_H */
