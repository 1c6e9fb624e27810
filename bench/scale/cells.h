/*===- cells.h - What one step does to a cell of each grid ----------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The hydro code solves the compressible Euler equations in two dimensions with
|* finite volumes of first order and the flux of Harten, Lax and van Leer: a
|* blast in the middle of a gas at rest. C11 and CUDA.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_BENCH_SCALE_CELLS_H
#define ACCX_BENCH_SCALE_CELLS_H

#include "scale.h"

#ifdef __CUDACC__
#define SCALE_ROUTINE
#else
#define SCALE_ROUTINE _Pragma("acc routine seq")
#endif

/** Density, momenta, energy. */
typedef struct {
  float D, X, Y, E;
} __attribute__((aligned(16))) Gas;

SCALE_ROUTINE
SCALE_BOTH static inline float gasPressure(Gas C) {
  const float P = 0.4f * (C.E - 0.5f * (C.X * C.X + C.Y * C.Y) / C.D);
  return P > 1e-6f ? P : 1e-6f;
}

/** The fastest signal in either direction. */
SCALE_ROUTINE
SCALE_BOTH static inline float gasSpeed(Gas C) {
  const float Sound = sqrtf(1.4f * gasPressure(C) / C.D);
  return fmaxf(fabsf(C.X), fabsf(C.Y)) / C.D + Sound;
}

/** The flux from L to R, whose X is the momentum across their face. */
SCALE_ROUTINE
SCALE_BOTH static inline Gas gasFlux(Gas L, Gas R) {
  const float VL = L.X / L.D, VR = R.X / R.D;
  const float PL = gasPressure(L), PR = gasPressure(R);
  const float CL = sqrtf(1.4f * PL / L.D), CR = sqrtf(1.4f * PR / R.D);
  const float SL = fminf(fminf(VL - CL, VR - CR), 0.0f);
  const float SR = fmaxf(fmaxf(VL + CL, VR + CR), 0.0f);
  const float Scale = 1 / (SR - SL), Both = SL * SR;
  Gas F;
  F.D = (SR * L.X - SL * R.X + Both * (R.D - L.D)) * Scale;
  F.X = (SR * (L.X * VL + PL) - SL * (R.X * VR + PR) + Both * (R.X - L.X)) *
        Scale;
  F.Y = (SR * L.Y * VL - SL * R.Y * VR + Both * (R.Y - L.Y)) * Scale;
  F.E = (SR * (L.E + PL) * VL - SL * (R.E + PR) * VR + Both * (R.E - L.E)) *
        Scale;
  return F;
}

SCALE_ROUTINE
SCALE_BOTH static inline Gas gasTurned(Gas C) {
  const Gas T = {C.D, C.Y, C.X, C.E};
  return T;
}

/** C after a step; Ratio is the step over the width of a cell. */
SCALE_ROUTINE
SCALE_BOTH static inline Gas gasNext(Gas Above, Gas Left, Gas C, Gas Right,
                                     Gas Below, float Ratio) {
  const Gas W = gasFlux(Left, C), E = gasFlux(C, Right);
  const Gas N = gasFlux(gasTurned(Above), gasTurned(C));
  const Gas S = gasFlux(gasTurned(C), gasTurned(Below));
  C.D -= Ratio * (E.D - W.D + S.D - N.D);
  C.X -= Ratio * (E.X - W.X + S.Y - N.Y);
  C.Y -= Ratio * (E.Y - W.Y + S.X - N.X);
  C.E -= Ratio * (E.E - W.E + S.E - N.E);
  return C;
}

SCALE_ROUTINE
SCALE_BOTH static inline Gas gasBegin(int Side, int Row, int X) {
  const float A = (float)(2 * Row - Side) / (float)Side;
  const float B = (float)(2 * X - Side) / (float)Side;
  const Gas C = {1 + 0.1f * scaleValue((size_t)Row * (size_t)Side + (size_t)X),
                 0, 0, 2.5f + 20 * expf(-40 * (A * A + B * B))};
  return C;
}

/** Steps between two looks at the fastest signal, which gives the next steps'
    length; and its share of what would still be stable. */
enum { GasOften = 20 };
static const float GasShare = 0.4f, GasCheckRatio = 0.05f;

/** Heat, with the paper's finite differences. */
static const float HeatSpeed = 0.2f;
SCALE_ROUTINE
SCALE_BOTH static inline float heatNext(float Above, float Left, float C,
                                        float Right, float Below, float Speed) {
  return C + Speed * (Left + Right + Above + Below - 4 * C);
}

SCALE_ROUTINE
SCALE_BOTH static inline float jacobiNext(float Above, float Left, float Right,
                                          float Below) {
  return .25f * (Above + Below + Left + Right);
}

/* The same as ScaleGrid wants it. */
static inline void gasGridBegin(const ScaleGrid *G, int Row, int X,
                                float *Cell) {
  const Gas C = gasBegin(G->Pitch, Row, X);
  memcpy(Cell, &C, sizeof(C));
}
static inline Gas gasAt(const float *Row, int X) {
  Gas C;
  memcpy(&C, Row + 4 * X, sizeof(C));
  return C;
}
static inline void gasGridNext(const ScaleGrid *G, const float *Above,
                               const float *Middle, const float *Below, int X,
                               float *Cell) {
  (void)G;
  const Gas C = gasNext(gasAt(Above, X), gasAt(Middle, X - 1), gasAt(Middle, X),
                        gasAt(Middle, X + 1), gasAt(Below, X), GasCheckRatio);
  memcpy(Cell, &C, sizeof(C));
}
static inline void jacobiGridNext(const ScaleGrid *G, const float *Above,
                                  const float *Middle, const float *Below,
                                  int X, float *Cell) {
  (void)G;
  *Cell = jacobiNext(Above[X], Middle[X - 1], Middle[X + 1], Below[X]);
}
static inline void heatGridNext(const ScaleGrid *G, const float *Above,
                                const float *Middle, const float *Below, int X,
                                float *Cell) {
  (void)G;
  *Cell = heatNext(Above[X], Middle[X - 1], Middle[X], Middle[X + 1], Below[X],
                   HeatSpeed);
}

static inline ScaleGrid scaleGridOf(const char *Case, int Rows, int Pitch,
                                    const void *Data) {
  ScaleGrid G = {Rows,           Pitch,           1,    scaleBeginPlain,
                 jacobiGridNext, scaleFetchPlain, Data, 1};
  if (!strcmp(Case, "heat"))
    G.Next = heatGridNext;
  if (!strcmp(Case, "hydro")) {
    G.Width = 4;
    G.Begin = gasGridBegin;
    G.Next = gasGridNext;
  }
  return G;
}

#endif /* ACCX_BENCH_SCALE_CELLS_H */
