/*===- threads-kernels.c - Loops for threads and lanes at once ------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Compiled with vectors and without; IMPL begins the names.
|*
\*===----------------------------------------------------------------------===*/

#include "threads.h"

#include <math.h>

/* What asks for vectors is left out of the scalar build: it would get them. */
#ifdef SCALAR
#define DECLARE_SIMD(...)
#define PARALLEL_FOR_SIMD _Pragma("omp parallel for")
#define SIMD(...)
#else
#define TEXT(...) _Pragma(#__VA_ARGS__)
#define DECLARE_SIMD(...) TEXT(omp declare simd __VA_ARGS__)
#define PARALLEL_FOR_SIMD _Pragma("omp parallel for simd")
#define SIMD(...) TEXT(omp simd __VA_ARGS__)
#endif

#define JOIN2(A, B) A##_##B
#define JOIN(A, B) JOIN2(A, B)
#define NAME(Kernel) JOIN(IMPL, Kernel)

DECLARE_SIMD(notinbranch)
static inline float normal(float X) {
  float K = 1.0f / (1.0f + 0.2316419f * fabsf(X));
  float Sum =
      K * (0.31938153f +
           K * (-0.356563782f +
                K * (1.781477937f + K * (-1.821255978f + K * 1.330274429f))));
  float Tail = 0.39894228f * expf(-0.5f * X * X) * Sum;
  return X < 0 ? Tail : 1.0f - Tail;
}

/* Iterations shared by threads and by lanes in one directive. */
void NAME(black_scholes)(float *restrict Out, const float *restrict Price,
                         const float *restrict Strike,
                         const float *restrict Years, int N) {
  PARALLEL_FOR_SIMD
  for (int I = 0; I < N; ++I) {
    float Root = sqrtf(Years[I]);
    float D1 = (logf(Price[I] / Strike[I]) + 0.065f * Years[I]) / (0.3f * Root);
    float D2 = D1 - 0.3f * Root;
    Out[I] = Price[I] * normal(D1) -
             Strike[I] * expf(-0.02f * Years[I]) * normal(D2);
  }
}

/* Outputs for threads, the 23 complex taps of each for lanes. */
void NAME(radar)(float *restrict Out, const float *restrict In,
                 const float *restrict Taps, int N) {
#pragma omp parallel for
  for (int O = 0; O < N; ++O) {
    float Re = 0, Im = 0;
    SIMD(reduction(+ : Re, Im))
    for (int I = 0; I < TapCount; ++I) {
      Re +=
          In[2 * (O + I)] * Taps[2 * I] - In[2 * (O + I) + 1] * Taps[2 * I + 1];
      Im +=
          In[2 * (O + I)] * Taps[2 * I + 1] + In[2 * (O + I) + 1] * Taps[2 * I];
    }
    Out[2 * O] = Re;
    Out[2 * O + 1] = Im;
  }
}

/* Multiply-adds are written out, so that all builds count the same. */
DECLARE_SIMD(uniform(Y, Limit) notinbranch)
static int escape(float X, float Y, int Limit) {
  float Re = 0, Im = 0;
  int K;
  for (K = 0; K < Limit; ++K) {
    float A = Re * Re, B = Im * Im;
    if (A + B > 4.0f)
      break;
    Im = __builtin_fmaf(2 * Re, Im, Y);
    Re = A - B + X;
  }
  return K;
}

/* Rows for threads, points for lanes. */
void NAME(mandelbrot)(int *restrict Out, int Width, int Height, int Limit) {
#pragma omp parallel for schedule(dynamic) firstprivate(Limit)
  for (int R = 0; R < Height; ++R) {
    int *Row = Out + (long)R * Width;
    float Y = __builtin_fmaf((float)R, 2.0f / (float)Height, -1.0f);
    SIMD()
    for (int C = 0; C < Width; ++C)
      Row[C] = escape(__builtin_fmaf((float)C, 3.0f / (float)Width, -2.0f), Y,
                      Limit);
  }
}
