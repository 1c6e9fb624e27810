/*===- cg.c - Conjugate gradients, many small kernels on resident data ----===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Solves A x = b in the way of NAS CG: the vectors live on the device across
|* several functions, the host sees only the scalars. Kernels that need no
|* answer are queued asynchronously and the reductions follow on the same queue.
|*
|* Usage: cg [rows]
|*
\*===----------------------------------------------------------------------===*/

#include "sparse.h"

#include <math.h>
#include <string.h>

enum { Reach = 12, MaxIterations = 500, Queue = 1 };
static const double Tolerance = 1e-8;

static void multiply(int Rows, const int *Start, const int *Column,
                     const double *Value, const double *X, double *Y) {
#pragma acc parallel present(Start, Column, Value, X, Y) async(Queue)
  {
#pragma acc loop gang worker
    for (int I = 0; I < Rows; ++I) {
      double Sum = 0;
#pragma acc loop vector reduction(+ : Sum)
      for (int K = Start[I]; K < Start[I + 1]; ++K)
        Sum += Value[K] * X[Column[K]];
      Y[I] = Sum;
    }
  }
}

static double dot(int Rows, const double *X, const double *Y) {
  double Sum = 0;
#pragma acc parallel loop present(X, Y) copy(Sum) reduction(+ : Sum)           \
    async(Queue)
  for (int I = 0; I < Rows; ++I)
    Sum += X[I] * Y[I];
#pragma acc wait(Queue)
  return Sum;
}

/* Y = Y * Scale + X * Factor */
static void combine(int Rows, double Scale, double *Y, double Factor,
                    const double *X) {
#pragma acc parallel loop present(X, Y) async(Queue)
  for (int I = 0; I < Rows; ++I)
    Y[I] = Y[I] * Scale + X[I] * Factor;
}

/* Iterations that it took; 0 where it does not converge. */
static int onDevice(const SparseMatrix *M, const double *B, double *X) {
  int Rows = M->Rows, Entries = M->Entries, Iteration;
  size_t Bytes = (size_t)Rows * sizeof(double);
  const int *Start = M->Start, *Column = M->Column;
  const double *Value = M->Value;
  double *R = (double *)malloc(Bytes), *P = (double *)malloc(Bytes),
         *Q = (double *)malloc(Bytes);
  if (!R || !P || !Q)
    exit(2);
#pragma acc data copyin(Start[0 : Rows + 1], Column[0 : Entries],              \
                        Value[0 : Entries], B[0 : Rows]) copyout(X[0 : Rows])  \
    create(R[0 : Rows], P[0 : Rows], Q[0 : Rows])
  {
#pragma acc parallel loop async(Queue)
    for (int I = 0; I < Rows; ++I) {
      X[I] = 0;
      R[I] = P[I] = B[I];
    }
    double Rho = dot(Rows, R, R), Goal = Tolerance * Tolerance * Rho;
    for (Iteration = 0; Rho > Goal && Iteration < MaxIterations; ++Iteration) {
      multiply(Rows, Start, Column, Value, P, Q);
      double Alpha = Rho / dot(Rows, P, Q);
      combine(Rows, 1, X, Alpha, P);
      combine(Rows, 1, R, -Alpha, Q);
      double Next = dot(Rows, R, R);
      combine(Rows, Next / Rho, P, 1, R);
      Rho = Next;
    }
#pragma acc wait
  }
  free(R), free(P), free(Q);
  return Iteration < MaxIterations ? Iteration : 0;
}

/* || B - M X || / || B ||, sequentially. */
static double residual(const SparseMatrix *M, const double *B, const double *X,
                       double *Scratch) {
  double Error = 0, Norm = 0;
  sparseMultiply(M, X, Scratch);
  for (int I = 0; I < M->Rows; ++I) {
    Error += (B[I] - Scratch[I]) * (B[I] - Scratch[I]);
    Norm += B[I] * B[I];
  }
  return sqrt(Error / Norm);
}

int main(int Argc, char **Argv) {
  int Rows = demoSize(Argc, Argv, 1, 30011);
  int Devices = demoDevices() > 0;
  size_t Items = (size_t)Rows;
  SparseMatrix M = sparseMake(Rows, Reach);
  double *X = (double *)demoAlloc(Items, sizeof(double));
  double *B = (double *)demoAlloc(Items, sizeof(double));
  double *Expected = (double *)demoAlloc(Items, sizeof(double));
  double *Scratch = (double *)demoAlloc(Items, sizeof(double));
  for (size_t I = 0; I < Items; ++I)
    Expected[I] = demoValue(I) - 0.5;
  sparseMultiply(&M, Expected, B);

  double Times[DemoRepeats];
  int Good = 1, Iterations = 0;
  for (int R = 0; R < DemoRepeats; ++R) {
    memset(X, 0, Items * sizeof(double));
    double Begin = demoNow();
    Iterations = onDevice(&M, B, X);
    Times[R] = demoNow() - Begin;
    Good = Good && Iterations && residual(&M, B, X, Scratch) < 2 * Tolerance &&
           demoCloseDouble(X, Expected, Items, 1e-4);
  }
  double Ms = demoMedianMs(Times, DemoRepeats);
  char Size[48], Metric[64];
  snprintf(Size, sizeof(Size), "%d/%d", Rows, M.Entries);
  snprintf(Metric, sizeof(Metric), "%d iterations on %s", Iterations,
           demoPlace(Devices));
  sparseFree(&M), free(X), free(B), free(Expected), free(Scratch);
  return demoReport("acc-cg", Size, Ms, Metric, Good);
}
