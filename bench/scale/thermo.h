/*===- thermo.h - The data of the S3D-like program ------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Needs Polynomials, Species and Degree. C11 and CUDA.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_BENCH_SCALE_THERMO_H
#define ACCX_BENCH_SCALE_THERMO_H

#include "scale.h"

static inline void thermoFits(Polynomials *Fits) {
  static const float Scale[Degree] = {3, 1e-3f, 1e-7f, 1e-10f, 1e-14f};
  Fits->Middle = 1000;
  for (int S = 0; S < Species; ++S)
    for (int I = 0; I < Degree; ++I) {
      Fits->Low[S][I] = Scale[I] * (1 + scaleValue((size_t)(S * Degree + I)));
      Fits->High[S][I] = Scale[I] * (1 + scaleValue((size_t)(99 + S + 9 * I)));
    }
}

typedef struct {
  float *T, *Shares;
} ThermoFill;

static inline void thermoFillPart(size_t Begin, size_t End, void *Context) {
  const ThermoFill *F = (const ThermoFill *)Context;
  for (size_t I = Begin; I < End; ++I) {
    F->T[I] = 300 + 2000 * scaleValue(I);
    for (size_t S = 0; S < Species; ++S)
      F->Shares[I * Species + S] = scaleValue(I * Species + S) / Species;
  }
}

/** The sum of both results, which are compared with those of Mixed. */
static inline double thermoLook(const Polynomials *Fits, const ThermoFill *F,
                                float *const Results[2], size_t Points,
                                float (*Mixed)(const Polynomials *, float,
                                               const float *, int),
                                int *Good) {
  double Sum = 0;
  size_t Bad = 0;
  for (int Kind = 0; Kind < 2; ++Kind)
    for (size_t I = 0; I < Points; I += Points / 100003 + 1) {
      const float Want = Mixed(Fits, F->T[I], F->Shares + I * Species, Kind);
      Bad += !(fabsf(Results[Kind][I] - Want) <= 1e-5f * fabsf(Want));
      Sum += Results[Kind][I];
    }
  if (Bad)
    fprintf(stderr, "scale: %zu points are wrong\n", Bad);
  *Good &= Bad == 0;
  return Sum;
}

#endif /* ACCX_BENCH_SCALE_THERMO_H */
