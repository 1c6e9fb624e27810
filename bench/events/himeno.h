/*===- himeno.h - The problem of the Himeno benchmark ---------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Jacobi's method for Poisson's equation with 19 points and coefficients in
|* arrays, as in RIKEN's benchmark, written anew: the domain, its cut into
|* blocks of planes, a cell, the check against a computation in one piece on the
|* host, and what is printed. C11 and CUDA.
|*
|* Two differences from the original: the coefficients b are not zero, so that
|* all points count, and the new pressure goes to a second array instead of
|* being copied back. The halves A and B are those of the paper's figure 1.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_BENCH_EVENTS_HIMENO_H
#define ACCX_BENCH_EVENTS_HIMENO_H

#include "measure.h"

#include <mpi.h>

#ifdef __CUDACC__
#define HIMENO_CELL __host__ __device__
#else
#define HIMENO_CELL
#endif

enum { HimenoMaxRepeats = 32, HimenoCheckSteps = 4 };

/** All points of the domain, border included, and a rank's part. Planes 1 to
    Planes are the rank's own; plane 0 and plane Planes + 1 the neighbours'. */
typedef struct {
  int I, J, K;
  int First, Planes, Half;
  int Rank, Ranks, Before, Behind;
  size_t Plane, Cells;
} Domain;

/** Cells numbers of each; several arrays one behind the other. */
typedef struct {
  float *P[2], *A, *B, *C, *Bnd, *Wrk1;
} Fields;

static const float HimenoOmega = 0.8f;

/** The residual of cell X, before it is relaxed. */
#ifndef __CUDACC__
#pragma acc routine seq
#endif
HIMENO_CELL static inline float himenoResidual(const float *P, const float *A,
                                               const float *B, const float *C,
                                               const float *Bnd,
                                               const float *Wrk1, size_t Cells,
                                               size_t X, size_t DI, size_t DJ) {
  const float S =
      A[X] * P[X + DI] + A[Cells + X] * P[X + DJ] +
      A[2 * Cells + X] * P[X + 1] +
      B[X] *
          (P[X + DI + DJ] - P[X + DI - DJ] - P[X - DI + DJ] + P[X - DI - DJ]) +
      B[Cells + X] *
          (P[X + DJ + 1] - P[X - DJ + 1] - P[X + DJ - 1] + P[X - DJ - 1]) +
      B[2 * Cells + X] *
          (P[X + DI + 1] - P[X - DI + 1] - P[X + DI - 1] + P[X - DI - 1]) +
      C[X] * P[X - DI] + C[Cells + X] * P[X - DJ] +
      C[2 * Cells + X] * P[X - 1] + Wrk1[X];
  return (S * A[3 * Cells + X] - P[X]) * Bnd[X];
}

static inline void himenoFill(const Domain *D, Fields *F) {
  for (size_t X = 0; X < D->Cells; ++X) {
    const size_t Global = (size_t)D->First * D->Plane + X;
    const size_t I = Global / D->Plane;
    const double At = (double)I / (double)(D->I - 1);
    F->P[0][X] = F->P[1][X] =
        (float)(At * At) + 1e-3f * (float)(measureWord(Global, 1) % 100);
    for (size_t N = 0; N < 3; ++N) {
      F->A[N * D->Cells + X] = F->C[N * D->Cells + X] = 1;
      F->B[N * D->Cells + X] = 0.01f * (float)(N + 1);
    }
    F->A[3 * D->Cells + X] = 1.0f / 6;
    F->Bnd[X] = 1;
    F->Wrk1[X] = 0;
  }
}

static inline void himenoAllocate(const Domain *D, Fields *F) {
  const size_t Bytes = D->Cells * sizeof(float);
  F->P[0] = (float *)measureAlloc(Bytes);
  F->P[1] = (float *)measureAlloc(Bytes);
  F->A = (float *)measureAlloc(4 * Bytes);
  F->B = (float *)measureAlloc(3 * Bytes);
  F->C = (float *)measureAlloc(3 * Bytes);
  F->Bnd = (float *)measureAlloc(Bytes);
  F->Wrk1 = (float *)measureAlloc(Bytes);
  himenoFill(D, F);
}

static inline void himenoFree(Fields *F) {
  free(F->P[0]);
  free(F->P[1]);
  free(F->A);
  free(F->B);
  free(F->C);
  free(F->Bnd);
  free(F->Wrk1);
}

/** S, M, L, or the sizes as IxJxK; the part of Rank. */
static inline Domain himenoDomain(const char *Size, int Rank, int Ranks) {
  Domain D;
  memset(&D, 0, sizeof(D));
  const char *Known = strcmp(Size, "S") == 0   ? "128x64x64"
                      : strcmp(Size, "M") == 0 ? "256x128x128"
                      : strcmp(Size, "L") == 0 ? "512x256x256"
                                               : Size;
  if (sscanf(Known, "%dx%dx%d", &D.I, &D.J, &D.K) != 3 || D.J < 3 || D.K < 3 ||
      D.I - 2 < 2 * Ranks) {
    fprintf(stderr, "himeno: '%s' is no size for %d ranks\n", Size, Ranks);
    exit(2);
  }
  D.Rank = Rank;
  D.Ranks = Ranks;
  D.Before = Rank > 0 ? Rank - 1 : MPI_PROC_NULL;
  D.Behind = Rank < Ranks - 1 ? Rank + 1 : MPI_PROC_NULL;
  D.First = (int)((long)(D.I - 2) * Rank / Ranks);
  D.Planes = (int)((long)(D.I - 2) * (Rank + 1) / Ranks) - D.First;
  D.Half = D.Planes / 2;
  D.Plane = (size_t)D.J * (size_t)D.K;
  D.Cells = (size_t)(D.Planes + 2) * D.Plane;
  return D;
}

/** Whether the ranks' planes after Steps are those of one computation; true on
    ranks other than 0. */
static inline int himenoRight(const Domain *D, const char *Size, float *Mine,
                              int Steps) {
  const int Count = (int)((size_t)D->Planes * D->Plane);
  if (D->Rank != 0) {
    MPI_Send(Mine + D->Plane, Count, MPI_FLOAT, 0, 9, MPI_COMM_WORLD);
    return 1;
  }
  static float *Expected;
  static int Of = -1;
  const Domain Whole = himenoDomain(Size, 0, 1);
  if (Of != Steps) {
    Fields F;
    himenoAllocate(&Whole, &F);
    for (int S = 0; S < Steps; ++S) {
      const float *Old = F.P[S % 2];
      float *New = F.P[(S + 1) % 2];
      for (int I = 1; I <= Whole.Planes; ++I)
        for (int J = 1; J < Whole.J - 1; ++J)
          for (int K = 1; K < Whole.K - 1; ++K) {
            const size_t X =
                (size_t)I * Whole.Plane + (size_t)J * (size_t)Whole.K + K;
            New[X] =
                Old[X] + HimenoOmega * himenoResidual(Old, F.A, F.B, F.C, F.Bnd,
                                                      F.Wrk1, Whole.Cells, X,
                                                      Whole.Plane, Whole.K);
          }
    }
    free(Expected);
    Expected = F.P[Steps % 2];
    F.P[Steps % 2] = NULL;
    Of = Steps;
    himenoFree(&F);
  }
  size_t Bad = 0;
  float *Got = (float *)measureAlloc(Whole.Cells * sizeof(float));
  memcpy(Got, Mine + D->Plane, (size_t)Count * sizeof(float));
  for (int R = 1; R < D->Ranks; ++R) {
    const Domain Other = himenoDomain(Size, R, D->Ranks);
    MPI_Recv(Got + (size_t)Other.First * D->Plane,
             (int)((size_t)Other.Planes * D->Plane), MPI_FLOAT, R, 9,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (size_t X = 0; X < (size_t)Whole.Planes * D->Plane; ++X) {
    const float E = Got[X] - Expected[D->Plane + X];
    Bad += !(E < 1e-5f && E > -1e-5f);
  }
  free(Got);
  return Bad == 0;
}

/** One line, of rank 0: the median of Repeats runs of Steps. */
static inline int himenoReport(const Domain *D, const char *Impl,
                               const char *Size, double *Ms, int Repeats,
                               int Steps, int Good) {
  int All = 0;
  MPI_Allreduce(&Good, &All, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (D->Rank == 0) {
    const double M = measureMedian(Ms, Repeats) / Steps;
    const double Points =
        (double)(D->I - 2) * (double)(D->J - 2) * (double)(D->K - 2);
    char Metric[64], Name[64];
    snprintf(Name, sizeof(Name), "%s %d ranks", Size, D->Ranks);
    snprintf(Metric, sizeof(Metric), "ms a step; %.1f GFLOPS",
             34e-6 * Points / M);
    measureResult("himeno", Impl, Name, M, Metric, All);
  }
  return !All;
}

#endif /* ACCX_BENCH_EVENTS_HIMENO_H */
