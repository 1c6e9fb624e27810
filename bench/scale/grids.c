/*===- grids.c - Stencils on one device and on all of them ----------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* OpenACC for one device, with `spread` and `distribute` in front.
|* Usage: grids jacobi:size:steps[:rounds]... hydro:size:steps[:rounds]...
|*
\*===----------------------------------------------------------------------===*/

#include "cells.h"
#include "spread.h"

/** From A to B. */
static void jacobiStep(const float *A, float *B, int N) {
  const size_t All = (size_t)N * N;
  (void)All;
  ACCX(accx distribute)
#pragma acc parallel loop collapse(2) present(A[0 : All], B[0 : All])
  for (int I = 1; I < N - 1; ++I)
    for (int J = 1; J < N - 1; ++J) {
      const size_t X = (size_t)I * N + J;
      B[X] = jacobiNext(A[X - N], A[X - 1], A[X + 1], A[X + N]);
    }
}

/** What a run gives. */
typedef struct {
  double Ms[ScaleMaxRounds], Sum;
  int Good;
} Outcome;

static Outcome jacobi(ScaleCase C) {
  const int N = (int)C.Size;
  const size_t All = C.Size * C.Size;
  Outcome O = {{0}, 0, 1};
  float *A = scaleFilled(All), *B = scaleFilled(All);
  ACCX(accx enter spread(A [0:All], B [0:All]) devices(all))
  PLAIN_DATA(acc enter data copyin(A [0:All], B [0:All]))
  for (int S = 0; S < ScaleCheckSteps; S += 2) {
    jacobiStep(A, B, N);
    jacobiStep(B, A, N);
  }
  scaleFinish(A);
#pragma acc update self(A[0 : All])
  ScaleGrid G = scaleGridOf("jacobi", N, N, A);
  scaleLook(&G, ScaleCheckSteps, &O.Good);
  for (int R = 0; R < C.Rounds; ++R) {
    scaleFinish(A);
    const double Begin = scaleNow();
    for (int S = 0; S < C.Steps; ++S) {
      jacobiStep(A, B, N);
      float *Swap = A;
      A = B;
      B = Swap;
    }
    scaleFinish(A);
    O.Ms[R] = (scaleNow() - Begin) / C.Steps;
  }
  ACCX(accx exit spread(A [0:All], B [0:All]))
  PLAIN_DATA(acc exit data copyout(A [0:All], B [0:All]))
  G.Data = A;
  O.Sum = scaleLook(&G, 0, &O.Good);
  free(A);
  free(B);
  return O;
}

static void gasStep(const Gas *A, Gas *B, int N, float Ratio) {
  const size_t All = (size_t)N * N;
  (void)All;
  ACCX(accx distribute)
#pragma acc parallel loop collapse(2) present(A[0 : All], B[0 : All])
  for (int I = 1; I < N - 1; ++I)
    for (int J = 1; J < N - 1; ++J) {
      const size_t X = (size_t)I * N + J;
      B[X] = gasNext(A[X - N], A[X - 1], A[X], A[X + 1], A[X + N], Ratio);
    }
}

static float gasFastest(const Gas *A, int N) {
  const size_t All = (size_t)N * N;
  float Fastest = 0;
  ACCX(accx distribute)
#pragma acc parallel loop collapse(2) present(A[0 : All])                      \
    reduction(max : Fastest)
  for (int I = 1; I < N - 1; ++I)
    for (int J = 1; J < N - 1; ++J)
      Fastest = fmaxf(Fastest, gasSpeed(A[(size_t)I * N + J]));
  return Fastest;
}

static void gasFillPart(size_t Begin, size_t End, void *Context) {
  const ScaleGrid *G = (const ScaleGrid *)Context;
  for (size_t I = Begin; I < End; ++I)
    for (int J = 0; J < G->Pitch; ++J)
      ((Gas *)(uintptr_t)G->Data)[I * (size_t)G->Pitch + (size_t)J] =
          gasBegin(G->Pitch, (int)I, J);
}

static Outcome hydro(ScaleCase C) {
  const int N = (int)C.Size;
  const size_t All = C.Size * C.Size;
  Outcome O = {{0}, 0, 1};
  Gas *A = (Gas *)scaleAlloc(All * sizeof(Gas));
  Gas *B = (Gas *)scaleAlloc(All * sizeof(Gas));
  ScaleGrid G = scaleGridOf("hydro", N, N, A);
  scaleParallel(C.Size, gasFillPart, &G);
  memcpy(B, A, All * sizeof(Gas));
  ACCX(accx enter spread(A [0:All], B [0:All]) devices(all))
  PLAIN_DATA(acc enter data copyin(A [0:All], B [0:All]))
  for (int S = 0; S < ScaleCheckSteps; S += 2) {
    gasStep(A, B, N, GasCheckRatio);
    gasStep(B, A, N, GasCheckRatio);
  }
  scaleFinish(A);
#pragma acc update self(A[0 : All])
  scaleLook(&G, ScaleCheckSteps, &O.Good);
  for (int R = 0; R < C.Rounds; ++R) {
    float Ratio = 0;
    scaleFinish(A);
    const double Begin = scaleNow();
    for (int S = 0; S < C.Steps; ++S) {
      if (S % GasOften == 0)
        Ratio = GasShare / gasFastest(A, N);
      gasStep(A, B, N, Ratio);
      Gas *Swap = A;
      A = B;
      B = Swap;
    }
    scaleFinish(A);
    O.Ms[R] = (scaleNow() - Begin) / C.Steps;
  }
  ACCX(accx exit spread(A [0:All], B [0:All]))
  PLAIN_DATA(acc exit data copyout(A [0:All], B [0:All]))
  G.Data = A;
  O.Sum = scaleLook(&G, 0, &O.Good);
  free(A);
  free(B);
  return O;
}

int main(int Argc, char **Argv) {
  int Bad = Argc < 2;
  for (int I = 1; I < Argc; ++I) {
    const ScaleCase C = scaleCase(Argv[I]);
    if (strcmp(C.Name, "jacobi") && strcmp(C.Name, "hydro"))
      return 2;
    Outcome O = strcmp(C.Name, "hydro") ? jacobi(C) : hydro(C);
    Bad |= scaleReport(C.Name, SCALE_IMPL, scaleDevices(), C.Size,
                       scaleMedian(O.Ms, C.Rounds), "ms a step", O.Sum, O.Good);
  }
  return Bad;
}
