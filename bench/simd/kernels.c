/*===- kernels.c - Loops as programs have them ----------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* TABLE names the table of this build.
|*
\*===----------------------------------------------------------------------===*/

#include "kernels.h"

#include <math.h>

/* Arrays that do not overlap; Clang knows that of parameters only. */
#define ARRAYS                                                                 \
  float *restrict A, float *restrict B, float *restrict C, float *restrict D,  \
      double *restrict X, double *restrict Y, double *restrict Z,              \
      int *restrict Is, int *restrict Js, int *restrict Ks,                    \
      unsigned char *restrict P, unsigned char *restrict Q,                    \
      unsigned char *restrict R, long N
#define KERNEL(Name)                                                           \
  static inline __attribute__((always_inline)) double Name##_of(ARRAYS);       \
  __attribute__((noinline)) static double Name##_once(struct Data *S,          \
                                                      long N) {                \
    return Name##_of(S->A, S->B, S->C, S->D, S->X, S->Y, S->Z, S->I, S->J,     \
                     S->K, S->P, S->Q, S->R, N);                               \
  }                                                                            \
  REPEATED(Name, Name##_once)                                                  \
  static inline __attribute__((always_inline)) double Name##_of(ARRAYS)

KERNEL(add_float_31) {
  for (int I = 0; I < 31; ++I)
    C[I] = A[I] + B[I];
  return 0;
}

KERNEL(add_double_31) {
  for (int I = 0; I < 31; ++I)
    Z[I] = X[I] + Y[I];
  return 0;
}

KERNEL(add_int_31) {
  for (int I = 0; I < 31; ++I)
    Ks[I] = Is[I] + Js[I];
  return 0;
}

KERNEL(add_float) {
  for (long I = 0; I < N; ++I)
    C[I] = A[I] + B[I];
  return 0;
}

__attribute__((noinline)) static double add_alias_once(struct Data *D, long N) {
  const float *A = D->A, *B = D->B;
  float *C = D->C;
  for (long I = 0; I < N; ++I)
    C[I] = A[I] + B[I];
  return 0;
}

REPEATED(add_alias, add_alias_once)

KERNEL(sqrt_sum_31) {
  float Sum = 0;
  for (int I = 0; I < 31; ++I)
    Sum += sqrtf(A[I]);
  return Sum;
}

KERNEL(sqrt_sum) {
  float Sum = 0;
  for (long I = 0; I < N; ++I)
    Sum += sqrtf(A[I]);
  return Sum;
}

/* Goes on from what is in memory. */
KERNEL(dot_double_7) {
  double Sum = Z[0];
  for (int I = 0; I < 7; ++I)
    Sum += X[I] * Y[I];
  Z[0] = Sum;
  return 0;
}

/* The row filter of a separable convolution, one output after the other. */
KERNEL(convolve_double_7) {
  for (long I = 0; I < 64; ++I) {
    double Sum = 0;
    for (int J = 0; J < 7; ++J)
      Sum += X[3 * I + J] * Y[J];
    Z[I] = Sum;
  }
  return 0;
}

KERNEL(convolve_5x5) {
  long Pitch = N + 4;
  for (long I = 0; I < N; ++I) {
    float Sum = 0;
    for (int Y = 0; Y < 5; ++Y)
      for (int X = 0; X < 5; ++X)
        Sum += A[Y * Pitch + I + X] * B[5 * Y + X];
    C[I] = Sum;
  }
  return 0;
}

/* As many taps as N says, one output after the other. */
KERNEL(radar) {
  for (long I = 0; I < 64; ++I) {
    float Sum = 0;
    for (long J = 0; J < N; ++J)
      Sum += A[I + J] * B[J];
    C[I] = Sum;
  }
  return 0;
}

/* One output of a convolution of complex numbers. */
KERNEL(radar_complex) {
  float Re = 0, Im = 0;
  for (long I = 0; I < N; ++I) {
    Re += A[2 * I] * B[2 * I] - A[2 * I + 1] * B[2 * I + 1];
    Im += A[2 * I] * B[2 * I + 1] + A[2 * I + 1] * B[2 * I];
  }
  C[0] = Re;
  C[1] = Im;
  return 0;
}

/* What all bodies do to each of the first four. */
KERNEL(nbody) {
  for (long J = 0; J < 4; ++J) {
    float Fx = 0, Fy = 0, Fz = 0;
    for (long I = 0; I < N; ++I) {
      float Dx = A[I] - A[J], Dy = B[I] - B[J], Dz = D[I] - D[J];
      float R2 = Dx * Dx + Dy * Dy + Dz * Dz + 0.01f;
      float Inverse = 1.0f / sqrtf(R2);
      float F = Inverse * Inverse * Inverse;
      Fx += F * Dx;
      Fy += F * Dy;
      Fz += F * Dz;
    }
    C[3 * J] = Fx;
    C[3 * J + 1] = Fy;
    C[3 * J + 2] = Fz;
  }
  return 0;
}

KERNEL(back_project) {
  for (long I = 0; I < N; ++I) {
    float At = B[I] * 60.0f;
    int Index = (int)At;
    float Part = At - (float)Index;
    C[I] += A[Index] * (1 - Part) + A[Index + 1] * Part;
  }
  return 0;
}

static inline float normal(float X) {
  float K = 1.0f / (1.0f + 0.2316419f * fabsf(X));
  float Sum =
      K * (0.31938153f +
           K * (-0.356563782f +
                K * (1.781477937f + K * (-1.821255978f + K * 1.330274429f))));
  float Tail = 0.39894228f * expf(-0.5f * X * X) * Sum;
  return X < 0 ? Tail : 1.0f - Tail;
}

KERNEL(black_scholes) {
  for (long I = 0; I < N; ++I) {
    float Root = sqrtf(D[I]);
    float D1 = (logf(A[I] / B[I]) + 0.065f * D[I]) / (0.3f * Root);
    float D2 = D1 - 0.3f * Root;
    C[I] = A[I] * normal(D1) - B[I] * expf(-0.02f * D[I]) * normal(D2);
  }
  return 0;
}

KERNEL(conditional_sum) {
  float Sum = 0;
  for (long I = 0; I < N; ++I)
    if (A[I] > 0.75f)
      Sum += B[I];
  return Sum;
}

KERNEL(stride_2) {
  for (long I = 0; I < N; ++I)
    C[I] = A[2 * I] + A[2 * I + 1];
  return 0;
}

KERNEL(average_u8) {
  for (long I = 0; I < N; ++I)
    R[I] = (P[I] + Q[I] + 1) >> 1;
  return 0;
}

KERNEL(argmin) {
  float Least = A[0];
  long At = 0;
  for (long I = 1; I < N; ++I)
    if (A[I] < Least) {
      Least = A[I];
      At = I;
    }
  return At + Least;
}

KERNEL(last_value) {
  float Last = 0;
  for (long I = 0; I < N; ++I) {
    Last = A[I] * B[I];
    C[I] = Last;
  }
  return Last;
}

KERNEL(conditional_last) {
  float Last = 0;
  for (long I = 0; I < N; ++I)
    if (A[I] > B[I])
      Last = A[I];
  return Last;
}

/* Products of 4x4 matrices, and two products at once, one of them with the
   transposed first operand. */
#define MULTIPLY_4X4(Type, A, B, C)                                            \
  for (long M = 0; M < N && M < Apart / 16; ++M)                               \
    for (int I = 0; I < 4; ++I)                                                \
      for (int J = 0; J < 4; ++J) {                                            \
        Type Sum = 0;                                                          \
        for (int L = 0; L < 4; ++L)                                            \
          Sum += A[16 * M + 4 * I + L] * B[16 * M + 4 * L + J];                \
        C[16 * M + 4 * I + J] = Sum;                                           \
      }
#define PAIR_4X4(Type, A, B, C, E)                                             \
  for (long M = 0; M < N && M < Apart / 16; ++M)                               \
    for (int J = 0; J < 4; ++J)                                                \
      for (int L = 0; L < 4; ++L) {                                            \
        Type First = 0, Second = 0;                                            \
        for (int I = 0; I < 4; ++I) {                                          \
          First += A[16 * M + 4 * I + L] * B[16 * M + 4 * I + J];              \
          Second += A[16 * M + 4 * I + L] * B[16 * M + 4 * J + I];             \
        }                                                                      \
        C[16 * M + 4 * L + J] = First;                                         \
        E[16 * M + 4 * J + L] = Second;                                        \
      }

KERNEL(multiply_4x4) {
  MULTIPLY_4X4(float, A, B, C)
  return 0;
}

KERNEL(pair_4x4) {
  float *restrict E = C + Apart;
  PAIR_4X4(float, A, B, C, E)
  return 0;
}

KERNEL(multiply_4x4_double) {
  MULTIPLY_4X4(double, X, Y, Z)
  return 0;
}

KERNEL(pair_4x4_double) {
  double *restrict E = Z + Apart;
  PAIR_4X4(double, X, Y, Z, E)
  return 0;
}

#define ENTRY(Name, Trips) {#Name, Name},
const struct Entry TABLE[] = {KERNELS(ENTRY){0, 0}};
