/*===- bodies.h - Bodies, and the checks of loops without neighbours ------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* C11 and CUDA.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_BENCH_SCALE_BODIES_H
#define ACCX_BENCH_SCALE_BODIES_H

#include "cells.h"

/** A place and a mass, or a velocity. */
typedef struct {
  float X, Y, Z, Mass;
} __attribute__((aligned(16))) Body;

static const float BodySquared = 1e-4f, BodyStep = 1e-3f;

static inline Body bodyBegin(int I, int Count) {
  const size_t At = 4 * (size_t)I;
  const Body B = {scaleValue(At), scaleValue(At + 1), scaleValue(At + 2),
                  (0.5f + scaleValue(At + 3)) / (float)Count};
  return B;
}

/** The velocity V of P after a step's pull of all bodies. */
SCALE_ROUTINE
SCALE_BOTH static inline Body bodyPulled(Body P, Body V, const Body *All,
                                         int Count, float Squared, float Step) {
  float X = 0, Y = 0, Z = 0;
  for (int J = 0; J < Count; ++J) {
    const float DX = All[J].X - P.X, DY = All[J].Y - P.Y, DZ = All[J].Z - P.Z;
    const float Inverse = 1 / sqrtf(DX * DX + DY * DY + DZ * DZ + Squared);
    const float Scale = All[J].Mass * Inverse * Inverse * Inverse;
    X += DX * Scale;
    Y += DY * Scale;
    Z += DZ * Scale;
  }
  V.X += Step * X;
  V.Y += Step * Y;
  V.Z += Step * Z;
  return V;
}

/** Moves P and gives its kinetic energy. */
SCALE_ROUTINE
SCALE_BOTH static inline float bodyMove(Body *P, Body V, float Step) {
  P->X += Step * V.X;
  P->Y += Step * V.Y;
  P->Z += Step * V.Z;
  return 0.5f * P->Mass * (V.X * V.X + V.Y * V.Y + V.Z * V.Z);
}

/** V after one step from the begin, of some bodies. */
static inline void bodyCheck(int Count, const Body *V, int *Good) {
  Body *P = (Body *)scaleAlloc((size_t)Count * sizeof(Body));
  for (int I = 0; I < Count; ++I)
    P[I] = bodyBegin(I, Count);
  const Body Zero = {0, 0, 0, 0};
  for (int I = 0; I < Count; I += Count / 37 + 1) {
    const Body W = bodyPulled(P[I], Zero, P, Count, BodySquared, BodyStep);
    const float Error =
        fabsf(W.X - V[I].X) + fabsf(W.Y - V[I].Y) + fabsf(W.Z - V[I].Z);
    /* A step's velocity is of the order of its length; sums of many floats in
       another order differ. */
    if (!(Error <= 1e-2f * BodyStep)) {
      fprintf(stderr, "scale: body %d is off by %g\n", I, Error);
      *Good = 0;
    }
  }
  free(P);
}

/** Some elements of the product of two matrices of begin values; their sum. */
static inline double productLook(int N, const float *C, int *Good) {
  double All = 0;
  for (int I = 0; I < N; I += N / 37 + 1)
    for (int J = 0; J < N; J += N / 5 + 1) {
      double Want = 0;
      for (int K = 0; K < N; ++K)
        Want += (double)scaleValue((size_t)I * (size_t)N + (size_t)K) *
                scaleValue((size_t)K * (size_t)N + (size_t)J);
      const double Got = C[(size_t)I * (size_t)N + (size_t)J];
      All += Got;
      if (!(fabs(Got - Want) <= 1e-4 * Want)) {
        fprintf(stderr, "scale: C[%d][%d] is %g, not %g\n", I, J, Got, Want);
        *Good = 0;
      }
    }
  return All;
}

typedef struct {
  const float *A;
  double Sum;
  pthread_mutex_t Lock;
} SumLook;

static inline void sumPart(size_t Begin, size_t End, void *Context) {
  SumLook *L = (SumLook *)Context;
  double Sum = 0;
  for (size_t I = Begin; I < End; ++I)
    Sum += L->A ? L->A[I] : scaleValue(I);
  pthread_mutex_lock(&L->Lock);
  L->Sum += Sum;
  pthread_mutex_unlock(&L->Lock);
}

/** Whether Sum is that of A, or of the begin values. */
static inline void sumCheck(const float *A, size_t N, double Sum, int *Good) {
  SumLook L = {A, 0, PTHREAD_MUTEX_INITIALIZER};
  scaleParallel(N, sumPart, &L);
  if (!(fabs(Sum - L.Sum) <= 1e-9 * L.Sum)) {
    fprintf(stderr, "scale: the sum is %.9g, not %.9g\n", Sum, L.Sum);
    *Good = 0;
  }
}

#endif /* ACCX_BENCH_SCALE_BODIES_H */
