/*===- main.c - Runs, checks and times one program of the benchmark -------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Usage: PROGRAM BYTES [implementation's arguments ...], PROGRAM being vecadd,
|* matmul or hydro, BYTES the size of all its arrays together.
|*
\*===----------------------------------------------------------------------===*/

#include "cells.h"
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MaxRepeats = 200 };

void hostAdd(long N, const int *X, const int *Y, int *Sum) {
  for (long I = 0; I < N; ++I)
    Sum[I] = X[I] + Y[I];
}

void hostProduct(long N, const int *X, const int *Y, int *Out) {
  memset(Out, 0, sizeof(int) * N * N);
  for (long I = 0; I < N; ++I)
    for (long K = 0; K < N; ++K)
      for (long J = 0; J < N; ++J)
        Out[I * N + J] += X[I * N + K] * Y[K * N + J];
}

static double now(void) {
  struct timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return T.tv_sec * 1e3 + T.tv_nsec * 1e-6;
}

static int less(const void *A, const void *B) {
  double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

static void *allocate(size_t Count, size_t Size) {
  /* Touched here, so that first faults are nobody's. */
  void *P = malloc(Count * Size);
  if (!P) {
    fprintf(stderr, "mapcost: out of memory\n");
    exit(2);
  }
  memset(P, 0, Count * Size);
  return P;
}

/* Calls Run until half a second or MaxRepeats are over, at least five times
   after one to warm up. Prepare and Check stay outside the measurement. */
static int measure(void (*Prepare)(void *), void (*Run)(void *),
                   int (*Check)(void *), void *Data) {
  static double Times[MaxRepeats];
  int Count = -1;
  double Begin = now();
  while (Count < 5 || (Count < MaxRepeats && now() - Begin < 500)) {
    Prepare(Data);
    double Start = now();
    Run(Data);
    double End = now();
    if (Count >= 0)
      Times[Count] = End - Start;
    ++Count;
    /* Every result is checked, also the first. */
    if (!Check(Data)) {
      printf("BAD,result\n");
      return 1;
    }
  }
  qsort(Times, Count, sizeof(double), less);
  printf("MEASURE,ms,%.6f\n", Times[Count / 2]);
  return 0;
}

struct ChainRun {
  struct Chain V;
  size_t Cells;
  int *Expected;
};

static void prepareChain(void *Data) {
  struct ChainRun *R = Data;
  memset(R->V.C, -1, R->Cells * sizeof(int));
  memset(R->V.D, -1, R->Cells * sizeof(int));
  memset(R->V.E, -1, R->Cells * sizeof(int));
}

static int checkChain(void *Data) {
  struct ChainRun *R = Data;
  return !memcmp(R->V.E, R->Expected, R->Cells * sizeof(int));
}

static void runVecadd(void *Data) { implVecadd(&((struct ChainRun *)Data)->V); }
static void runMatmul(void *Data) { implMatmul(&((struct ChainRun *)Data)->V); }

static int chainMain(int IsProduct, size_t Bytes) {
  struct ChainRun R;
  long N = (long)(Bytes / (5 * sizeof(int)));
  if (IsProduct) {
    long Root = (long)sqrt((double)N);
    N = Root;
    R.Cells = (size_t)N * N;
  } else {
    R.Cells = (size_t)N;
  }
  R.V.N = N;
  R.V.A = allocate(R.Cells, sizeof(int));
  R.V.B = allocate(R.Cells, sizeof(int));
  R.V.C = allocate(R.Cells, sizeof(int));
  R.V.D = allocate(R.Cells, sizeof(int));
  R.V.E = allocate(R.Cells, sizeof(int));
  R.Expected = allocate(R.Cells, sizeof(int));
  for (size_t I = 0; I < R.Cells; ++I) {
    R.V.A[I] = (int)(I * 2654435761u >> 7) % 3 - 1;
    R.V.B[I] = (int)(I * 2246822519u >> 9) % 3 - 1;
  }
  void (*OnHost)(long, const int *, const int *, int *) =
      IsProduct ? hostProduct : hostAdd;
  OnHost(N, R.V.A, R.V.B, R.V.C);
  OnHost(N, R.V.C, R.V.A, R.V.D);
  OnHost(N, R.V.D, R.V.C, R.Expected);
  return measure(prepareChain, IsProduct ? runMatmul : runVecadd, checkChain,
                 &R);
}

struct HydroRun {
  struct Hydro H;
  double *Start[7], *Expected[7];
};

static double **travelling(struct Hydro *H, int I) {
  double **All[] = {&H->Rho, &H->U, &H->E, &H->M, &H->X, &H->P, &H->C};
  return All[I];
}

static void prepareHydro(void *Data) {
  struct HydroRun *R = Data;
  for (int I = 0; I < 7; ++I)
    memcpy(*travelling(&R->H, I), R->Start[I], R->H.N * sizeof(double));
}

static void runHydro(void *Data) { implHydro(&((struct HydroRun *)Data)->H); }

static int checkHydro(void *Data) {
  struct HydroRun *R = Data;
  for (int A = 0; A < 7; ++A) {
    const double *Got = *travelling(&R->H, A), *Want = R->Expected[A];
    for (long I = 0; I < R->H.N; ++I)
      if (!(fabs(Got[I] - Want[I]) <= 1e-10 * (1 + fabs(Want[I])))) {
        fprintf(stderr, "mapcost: array %d, cell %ld: %g, expected %g\n", A, I,
                Got[I], Want[I]);
        return 0;
      }
  }
  return 1;
}

static void hostHydro(struct Hydro *H) {
  long N = H->N;
  for (long I = 0; I < N; ++I)
    eosCell(I, H->Rho, H->E, H->P, H->C);
  for (long I = 0; I < N; ++I)
    impedanceCell(I, H->Rho, H->C, H->Q);
  for (long I = 0; I < N; ++I)
    nodeCell(I, H->U, H->P, H->Q, H->Us, H->Ps);
  for (long I = 0; I < N; ++I)
    lagrangeCell(I, N, H->Dt, H->X, H->M, H->Us, H->Ps, H->Xs, H->U, H->E);
  for (long I = 0; I < N; ++I)
    fluxCell(I, N, H->Length, H->X, H->Xs, H->M, H->Flux);
  for (long I = 0; I < N; ++I)
    projectCell(I, N, H->M, H->U, H->E, H->Flux, H->Q, H->P, H->C);
  for (long I = 0; I < N; ++I)
    settleCell(I, N, H->Length, H->X, H->Q, H->P, H->C, H->M, H->U, H->E,
               H->Rho);
}

/* A shock tube, with ripples so that no two cells are alike. */
static int hydroMain(size_t Bytes) {
  struct HydroRun R;
  struct Hydro *H = &R.H;
  long N = H->N = (long)(Bytes / (12 * sizeof(double)));
  double **Local[] = {&H->Q, &H->Us, &H->Ps, &H->Xs, &H->Flux};
  for (int I = 0; I < 5; ++I)
    *Local[I] = allocate(N, sizeof(double));
  for (int I = 0; I < 7; ++I) {
    *travelling(H, I) = allocate(N, sizeof(double));
    R.Start[I] = allocate(N, sizeof(double));
    R.Expected[I] = allocate(N, sizeof(double));
  }
  H->Length = 1;
  H->Dt = 0.2 / N;
  for (long I = 0; I < N; ++I) {
    H->X[I] = (double)I / N;
    H->Rho[I] = (I < N / 2 ? 1.0 : 0.125) * (1 + 1e-3 * (I % 17));
    H->U[I] = 1e-3 * (I % 13 - 6);
    H->E[I] = (I < N / 2 ? 2.5 : 2.0) * (1 + 1e-3 * (I % 11));
    H->M[I] = H->Rho[I] / N;
  }
  for (int I = 0; I < 7; ++I)
    memcpy(R.Start[I], *travelling(H, I), N * sizeof(double));
  hostHydro(H);
  for (int I = 0; I < 7; ++I)
    memcpy(R.Expected[I], *travelling(H, I), N * sizeof(double));
  return measure(prepareHydro, runHydro, checkHydro, &R);
}

int main(int Argc, char **Argv) {
  size_t Bytes = Argc > 2 ? strtoull(Argv[2], NULL, 10) : 0;
  if (Bytes < 1024) {
    fprintf(stderr, "usage: PROGRAM BYTES ...\n");
    return 2;
  }
  implStart(Argc - 3, Argv + 3);
  if (!strcmp(Argv[1], "vecadd"))
    return chainMain(0, Bytes);
  if (!strcmp(Argv[1], "matmul"))
    return chainMain(1, Bytes);
  if (!strcmp(Argv[1], "hydro"))
    return hydroMain(Bytes);
  fprintf(stderr, "mapcost: unknown program '%s'\n", Argv[1]);
  return 2;
}
