/*===- spmul.c - Repeated sparse matrix times vector ----------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The kernel benchmark of the OpenARC paper: y = A x, x = y / max |y|, and
|* again. A gang takes rows, its vector lanes one row's entries, whose number
|* differs from row to row. The matrix enters the device on one queue and the
|* vector on another; the first product waits for both.
|*
|* Usage: spmul [rows [iterations]]
|*
\*===----------------------------------------------------------------------===*/

#include "sparse.h"

#include <math.h>
#include <string.h>

enum { Reach = 16 };

static void onDevice(const SparseMatrix *M, int Iterations, double *X,
                     double *Y) {
  int Rows = M->Rows, Entries = M->Entries;
  const int *restrict Start = M->Start, *restrict Column = M->Column;
  const double *restrict Value = M->Value;
#pragma acc enter data copyin(Start[0 : Rows + 1], Column[0 : Entries],        \
                              Value[0 : Entries]) async(1)
#pragma acc enter data copyin(X[0 : Rows]) create(Y[0 : Rows]) async(2)
#pragma acc wait(1, 2)
  for (int T = 0; T < Iterations; ++T) {
#pragma acc parallel loop gang present(Start, Column, Value, X, Y)             \
    vector_length(32)
    for (int I = 0; I < Rows; ++I) {
      double Sum = 0;
      int First = Start[I], Last = Start[I + 1];
#pragma acc loop vector reduction(+ : Sum)
      for (int K = First; K < Last; ++K)
        Sum += Value[K] * X[Column[K]];
      Y[I] = Sum;
    }
    double Largest = 0;
#pragma acc parallel loop present(Y) reduction(max : Largest)
    for (int I = 0; I < Rows; ++I)
      Largest = fmax(Largest, fabs(Y[I]));
#pragma acc parallel loop present(X, Y) firstprivate(Largest)
    for (int I = 0; I < Rows; ++I)
      X[I] = Y[I] / Largest;
  }
#pragma acc exit data copyout(X[0 : Rows])
#pragma acc exit data delete (Start, Column, Value, Y)
}

static void onHost(const SparseMatrix *M, int Iterations, double *X,
                   double *Y) {
  for (int T = 0; T < Iterations; ++T) {
    sparseMultiply(M, X, Y);
    double Largest = 0;
    for (int I = 0; I < M->Rows; ++I)
      Largest = fmax(Largest, fabs(Y[I]));
    for (int I = 0; I < M->Rows; ++I)
      X[I] = Y[I] / Largest;
  }
}

int main(int Argc, char **Argv) {
  int Rows = demoSize(Argc, Argv, 1, 30011);
  int Iterations = demoSize(Argc, Argv, 2, 20);
  int Devices = demoDevices() > 0;
  size_t Items = (size_t)Rows;
  SparseMatrix M = sparseMake(Rows, Reach);
  double *X = (double *)demoAlloc(Items, sizeof(double));
  double *Y = (double *)demoAlloc(Items, sizeof(double));
  double *Expected = (double *)demoAlloc(Items, sizeof(double));
  for (size_t I = 0; I < Items; ++I)
    Expected[I] = 0.5 + demoValue(I);
  onHost(&M, Iterations, Expected, Y);

  double Times[DemoRepeats];
  int Good = 1;
  for (int R = 0; R < DemoRepeats; ++R) {
    for (size_t I = 0; I < Items; ++I)
      X[I] = 0.5 + demoValue(I);
    double Begin = demoNow();
    onDevice(&M, Iterations, X, Y);
    Times[R] = demoNow() - Begin;
    Good = Good && demoCloseDouble(X, Expected, Items, 1e-9);
  }
  double Ms = demoMedianMs(Times, DemoRepeats);
  char Size[48], Metric[64];
  snprintf(Size, sizeof(Size), "%d/%d", Rows, M.Entries);
  snprintf(Metric, sizeof(Metric), "%.2f GFLOP/s on %s",
           2e-6 * Iterations * M.Entries / Ms, demoPlace(Devices));
  sparseFree(&M), free(X), free(Y), free(Expected);
  return demoReport("acc-spmul", Size, Ms, Metric, Good);
}
