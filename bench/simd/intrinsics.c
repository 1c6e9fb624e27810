/*===- intrinsics.c - The kernels by hand ---------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* An unmasked main loop and one masked remainder each: the ceiling for a
|* compiler. AVX-512 only. FIRST: 4x4 products and Black-Scholes as they are
|* written first, before a profile.
|*
\*===----------------------------------------------------------------------===*/

#include "kernels.h"

#include <immintrin.h>

#define KERNEL(Name)                                                           \
  static double Name##_once(struct Data *D, long N);                           \
  REPEATED(Name, Name##_once)                                                  \
  __attribute__((noinline)) static double Name##_once(struct Data *D, long N)

/* Other loops are not to be: they are short. */
#define UNROLLED _Pragma("clang loop unroll(full)")

typedef __m512 V;

/* libmvec's, as a compiler would call them. */
V _ZGVeN16v_logf(V);
V _ZGVeN16v_expf(V);

static inline __mmask16 first(long Lanes) {
  return (__mmask16)((1u << Lanes) - 1);
}

KERNEL(add_float_31) {
  (void)N;
  const float *A = D->A, *B = D->B;
  float *C = D->C;
  _mm512_storeu_ps(C, _mm512_add_ps(_mm512_loadu_ps(A), _mm512_loadu_ps(B)));
  _mm512_mask_storeu_ps(
      C + 16, first(15),
      _mm512_add_ps(_mm512_maskz_loadu_ps(first(15), A + 16),
                    _mm512_maskz_loadu_ps(first(15), B + 16)));
  return 0;
}

KERNEL(add_double_31) {
  (void)N;
  const double *X = D->X, *Y = D->Y;
  double *Z = D->Z;
#define STEP(I)                                                                \
  _mm512_storeu_pd(                                                            \
      Z + I, _mm512_add_pd(_mm512_loadu_pd(X + I), _mm512_loadu_pd(Y + I)));
  STEP(0)
  STEP(8)
  STEP(16)
#undef STEP
  _mm512_mask_storeu_pd(Z + 24, 0x7f,
                        _mm512_add_pd(_mm512_maskz_loadu_pd(0x7f, X + 24),
                                      _mm512_maskz_loadu_pd(0x7f, Y + 24)));
  return 0;
}

KERNEL(add_int_31) {
  (void)N;
  const int *I = D->I, *J = D->J;
  int *K = D->K;
  _mm512_storeu_si512(
      K, _mm512_add_epi32(_mm512_loadu_si512(I), _mm512_loadu_si512(J)));
  _mm512_mask_storeu_epi32(
      K + 16, first(15),
      _mm512_add_epi32(_mm512_maskz_loadu_epi32(first(15), I + 16),
                       _mm512_maskz_loadu_epi32(first(15), J + 16)));
  return 0;
}

static inline void add(const float *A, const float *B, float *C, long N) {
  long I = 0;
  for (; I + 16 <= N; I += 16)
    _mm512_storeu_ps(
        C + I, _mm512_add_ps(_mm512_loadu_ps(A + I), _mm512_loadu_ps(B + I)));
  if (I < N) {
    __mmask16 M = first(N - I);
    _mm512_mask_storeu_ps(C + I, M,
                          _mm512_add_ps(_mm512_maskz_loadu_ps(M, A + I),
                                        _mm512_maskz_loadu_ps(M, B + I)));
  }
}

KERNEL(add_float) {
  add(D->A, D->B, D->C, N);
  return 0;
}

KERNEL(add_alias) {
  const float *A = D->A, *B = D->B;
  float *C = D->C;
  if ((C < A + N && A < C + N) || (C < B + N && B < C + N)) {
    for (long I = 0; I < N; ++I)
      C[I] = A[I] + B[I];
    return 0;
  }
  add(A, B, C, N);
  return 0;
}

KERNEL(sqrt_sum_31) {
  (void)N;
  V Sum = _mm512_sqrt_ps(_mm512_loadu_ps(D->A));
  Sum = _mm512_add_ps(
      Sum, _mm512_sqrt_ps(_mm512_maskz_loadu_ps(first(15), D->A + 16)));
  return _mm512_reduce_add_ps(Sum);
}

KERNEL(sqrt_sum) {
  const float *A = D->A;
  V Sum[4] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(),
              _mm512_setzero_ps()};
  long I = 0;
  for (; I + 64 <= N; I += 64)
    UNROLLED for (int U = 0; U < 4; ++U) Sum[U] =
        _mm512_add_ps(Sum[U], _mm512_sqrt_ps(_mm512_loadu_ps(A + I + 16 * U)));
  for (; I + 16 <= N; I += 16)
    Sum[0] = _mm512_add_ps(Sum[0], _mm512_sqrt_ps(_mm512_loadu_ps(A + I)));
  if (I < N)
    Sum[1] = _mm512_add_ps(
        Sum[1], _mm512_sqrt_ps(_mm512_maskz_loadu_ps(first(N - I), A + I)));
  return _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(Sum[0], Sum[1]),
                                            _mm512_add_ps(Sum[2], Sum[3])));
}

/* Seven products in 256 bits: half the way down to their sum. */
static inline double dot(const double *X, __m256d Low, __m256d High) {
  __m256d Sum = _mm256_fmadd_pd(_mm256_maskz_loadu_pd(7, X + 4), High,
                                _mm256_mul_pd(_mm256_loadu_pd(X), Low));
  __m128d Half =
      _mm_add_pd(_mm256_castpd256_pd128(Sum), _mm256_extractf128_pd(Sum, 1));
  return _mm_cvtsd_f64(_mm_add_sd(Half, _mm_unpackhi_pd(Half, Half)));
}

KERNEL(dot_double_7) {
  (void)N;
  double Sum =
      dot(D->X, _mm256_loadu_pd(D->Y), _mm256_maskz_loadu_pd(7, D->Y + 4));
  /* Else Clang puts Z to one of the last two terms: the next call waits for two
     additions. */
  __asm__("" : "+x"(Sum));
  *D->Z += Sum;
  return 0;
}

KERNEL(convolve_double_7) {
  (void)N;
  __m256d Low = _mm256_loadu_pd(D->Y);
  __m256d High = _mm256_maskz_loadu_pd(7, D->Y + 4);
  const double *X = D->X;
  double *Z = D->Z;
  for (long I = 0; I < 64; ++I)
    Z[I] = dot(X + 3 * I, Low, High);
  return 0;
}

static inline V taps(const float *A, const float *W, long Pitch, __mmask16 M) {
  V Sum = _mm512_setzero_ps();
  UNROLLED for (int Y = 0; Y < 5; ++Y) UNROLLED for (int X = 0; X < 5; ++X)
      Sum = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(M, A + Y * Pitch + X),
                            _mm512_set1_ps(W[5 * Y + X]), Sum);
  return Sum;
}

/* Two vectors a turn, which share the weights. */
KERNEL(convolve_5x5) {
  const float *A = D->A, *B = D->B;
  float *C = D->C;
  long I = 0, Pitch = N + 4;
  for (; I + 32 <= N; I += 32) {
    V Sum[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()};
    UNROLLED for (int Y = 0; Y < 5; ++Y) UNROLLED for (int X = 0; X < 5; ++X) {
      V Weight = _mm512_set1_ps(B[5 * Y + X]);
      const float *At = A + I + Y * Pitch + X;
      Sum[0] = _mm512_fmadd_ps(_mm512_loadu_ps(At), Weight, Sum[0]);
      Sum[1] = _mm512_fmadd_ps(_mm512_loadu_ps(At + 16), Weight, Sum[1]);
    }
    _mm512_storeu_ps(C + I, Sum[0]);
    _mm512_storeu_ps(C + I + 16, Sum[1]);
  }
  for (; I + 16 <= N; I += 16)
    _mm512_storeu_ps(C + I, taps(A + I, B, Pitch, 0xffff));
  if (I < N)
    _mm512_mask_storeu_ps(C + I, first(N - I),
                          taps(A + I, B, Pitch, first(N - I)));
  return 0;
}

KERNEL(radar) {
  const float *Taps = D->B;
  float *C = D->C;
  for (long I = 0; I < 64; ++I) {
    const float *A = D->A + I;
    V Sum = _mm512_setzero_ps();
    long J = 0;
    for (; J + 16 <= N; J += 16)
      Sum = _mm512_fmadd_ps(_mm512_loadu_ps(A + J), _mm512_loadu_ps(Taps + J),
                            Sum);
    if (J < N)
      Sum = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(first(N - J), A + J),
                            _mm512_maskz_loadu_ps(first(N - J), Taps + J), Sum);
    C[I] = _mm512_reduce_add_ps(Sum);
  }
  return 0;
}

/* Eight complex numbers a vector: no shuffles but one swap. */
KERNEL(radar_complex) {
  V Straight = _mm512_setzero_ps(), Crossed = _mm512_setzero_ps();
  long I = 0;
#define STEP(M)                                                                \
  V A = _mm512_maskz_loadu_ps(M, D->A + 2 * I);                                \
  V B = _mm512_maskz_loadu_ps(M, D->B + 2 * I);                                \
  Straight = _mm512_fmadd_ps(A, B, Straight);                                  \
  Crossed = _mm512_fmadd_ps(A, _mm512_permute_ps(B, 0xb1), Crossed);
  for (; I + 8 <= N; I += 8) {
    STEP(0xffff)
  }
  if (I < N) {
    STEP(first(2 * (N - I)))
  }
#undef STEP
  D->C[0] = _mm512_mask_reduce_add_ps(0x5555, Straight) -
            _mm512_mask_reduce_add_ps(0xaaaa, Straight);
  D->C[1] = _mm512_reduce_add_ps(Crossed);
  return 0;
}

KERNEL(nbody) {
  float *C = D->C;
  for (long J = 0; J < 4; ++J) {
    V X = _mm512_set1_ps(D->A[J]), Y = _mm512_set1_ps(D->B[J]);
    V Z = _mm512_set1_ps(D->D[J]);
    V Fx = _mm512_setzero_ps(), Fy = Fx, Fz = Fx;
    long I = 0;
#define STEP(M)                                                                \
  V Dx = _mm512_sub_ps(_mm512_maskz_loadu_ps(M, D->A + I), X);                 \
  V Dy = _mm512_sub_ps(_mm512_maskz_loadu_ps(M, D->B + I), Y);                 \
  V Dz = _mm512_sub_ps(_mm512_maskz_loadu_ps(M, D->D + I), Z);                 \
  V R2 = _mm512_fmadd_ps(Dz, Dz, _mm512_set1_ps(0.01f));                       \
  R2 = _mm512_fmadd_ps(Dx, Dx, _mm512_fmadd_ps(Dy, Dy, R2));                   \
  V R = _mm512_rsqrt14_ps(R2);                                                 \
  V Half = _mm512_mul_ps(_mm512_set1_ps(0.5f), _mm512_mul_ps(R2, R));          \
  R = _mm512_mul_ps(R, _mm512_fnmadd_ps(Half, R, _mm512_set1_ps(1.5f)));       \
  V F = _mm512_maskz_mul_ps(M, R, _mm512_mul_ps(R, R));                        \
  Fx = _mm512_fmadd_ps(F, Dx, Fx);                                             \
  Fy = _mm512_fmadd_ps(F, Dy, Fy);                                             \
  Fz = _mm512_fmadd_ps(F, Dz, Fz);
    for (; I + 16 <= N; I += 16) {
      STEP(0xffff)
    }
    if (I < N) {
      STEP(first(N - I))
    }
#undef STEP
    C[3 * J] = _mm512_reduce_add_ps(Fx);
    C[3 * J + 1] = _mm512_reduce_add_ps(Fy);
    C[3 * J + 2] = _mm512_reduce_add_ps(Fz);
  }
  return 0;
}

/* Neighbours are loaded as one element of 64 bits: gathers take as long as
   single loads. */
static inline V interpolate(const float *A, V At, __mmask16 M) {
  __m512i Low = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24,
                                  26, 28, 30);
  __m512i High = _mm512_or_si512(Low, _mm512_set1_epi32(1));
  __m512i Index = _mm512_cvttps_epi32(At), Zero = _mm512_setzero_si512();
  V Part = _mm512_sub_ps(At, _mm512_cvtepi32_ps(Index));
  V First = _mm512_castsi512_ps(_mm512_mask_i32gather_epi64(
      Zero, (__mmask8)M, _mm512_castsi512_si256(Index), A, 4));
  V Second = _mm512_castsi512_ps(_mm512_mask_i32gather_epi64(
      Zero, (__mmask8)(M >> 8), _mm512_extracti64x4_epi64(Index, 1), A, 4));
  V X = _mm512_permutex2var_ps(First, Low, Second);
  V Y = _mm512_permutex2var_ps(First, High, Second);
  return _mm512_fmadd_ps(Part, _mm512_sub_ps(Y, X), X);
}

KERNEL(back_project) {
  const float *From = D->A, *Where = D->B;
  float *To = D->C;
  V Scale = _mm512_set1_ps(60.0f);
  long I = 0;
  for (; I + 16 <= N; I += 16) {
    V At = _mm512_mul_ps(_mm512_loadu_ps(Where + I), Scale);
    _mm512_storeu_ps(To + I, _mm512_add_ps(_mm512_loadu_ps(To + I),
                                           interpolate(From, At, 0xffff)));
  }
  if (I < N) {
    __mmask16 M = first(N - I);
    V At = _mm512_mul_ps(_mm512_maskz_loadu_ps(M, Where + I), Scale);
    _mm512_mask_storeu_ps(To + I, M,
                          _mm512_add_ps(_mm512_maskz_loadu_ps(M, To + I),
                                        interpolate(From, At, M)));
  }
  return 0;
}

#define C(X) _mm512_set1_ps(X)
static inline V normal(V X) {
  V K = _mm512_div_ps(C(1),
                      _mm512_fmadd_ps(C(0.2316419f), _mm512_abs_ps(X), C(1)));
  V Sum = _mm512_fmadd_ps(K, C(1.330274429f), C(-1.821255978f));
  Sum = _mm512_fmadd_ps(K, Sum, C(1.781477937f));
  Sum = _mm512_fmadd_ps(K, Sum, C(-0.356563782f));
  Sum = _mm512_mul_ps(K, _mm512_fmadd_ps(K, Sum, C(0.31938153f)));
  V Tail = _mm512_mul_ps(
      _mm512_mul_ps(C(0.39894228f), Sum),
      _ZGVeN16v_expf(_mm512_mul_ps(C(-0.5f), _mm512_mul_ps(X, X))));
  __mmask16 Low = _mm512_cmp_ps_mask(X, C(0), _CMP_LT_OQ);
  return _mm512_mask_mov_ps(_mm512_sub_ps(C(1), Tail), Low, Tail);
}

static inline V price(V S, V X, V T) {
  V Spread = _mm512_mul_ps(C(0.3f), _mm512_sqrt_ps(T));
  V D1 = _mm512_div_ps(
      _mm512_fmadd_ps(C(0.065f), T, _ZGVeN16v_logf(_mm512_div_ps(S, X))),
      Spread);
  V D2 = _mm512_sub_ps(D1, Spread);
  V Later = _mm512_mul_ps(X, _ZGVeN16v_expf(_mm512_mul_ps(C(-0.02f), T)));
  return _mm512_fmsub_ps(S, normal(D1), _mm512_mul_ps(Later, normal(D2)));
}

/* Whole vectors are spilled: the stack is aligned for that. */
#ifndef FIRST
__attribute__((force_align_arg_pointer))
#endif
__attribute__((noinline)) static double
black_scholes_once(struct Data *D, long N) {
  const float *Spot = D->A, *Strike = D->B, *Time = D->D;
  float *To = D->C;
  long I = 0;
  for (; I + 16 <= N; I += 16)
    _mm512_storeu_ps(To + I, price(_mm512_loadu_ps(Spot + I),
                                   _mm512_loadu_ps(Strike + I),
                                   _mm512_loadu_ps(Time + I)));
  if (I < N) {
    __mmask16 M = first(N - I);
    _mm512_mask_storeu_ps(To + I, M,
                          price(_mm512_mask_loadu_ps(C(1), M, Spot + I),
                                _mm512_mask_loadu_ps(C(1), M, Strike + I),
                                _mm512_mask_loadu_ps(C(1), M, Time + I)));
  }
  return 0;
}
#undef C

REPEATED(black_scholes, black_scholes_once)

KERNEL(conditional_sum) {
  V Least = _mm512_set1_ps(0.75f);
  V Sum[4] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(),
              _mm512_setzero_ps()};
  long I = 0;
#define ABOVE(At)                                                              \
  _mm512_cmp_ps_mask(_mm512_loadu_ps(D->A + At), Least, _CMP_GT_OQ)
  for (; I + 64 <= N; I += 64)
    UNROLLED for (int U = 0; U < 4; ++U) Sum[U] = _mm512_mask_add_ps(
        Sum[U], ABOVE(I + 16 * U), Sum[U], _mm512_loadu_ps(D->B + I + 16 * U));
  for (; I + 16 <= N; I += 16)
    Sum[0] =
        _mm512_mask_add_ps(Sum[0], ABOVE(I), Sum[0], _mm512_loadu_ps(D->B + I));
#undef ABOVE
  if (I < N) {
    __mmask16 In = first(N - I);
    __mmask16 M = _mm512_mask_cmp_ps_mask(
        In, _mm512_maskz_loadu_ps(In, D->A + I), Least, _CMP_GT_OQ);
    Sum[1] = _mm512_mask_add_ps(Sum[1], M, Sum[1],
                                _mm512_maskz_loadu_ps(In, D->B + I));
  }
  return _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(Sum[0], Sum[1]),
                                            _mm512_add_ps(Sum[2], Sum[3])));
}

static inline V addPairs(V Low, V High) {
  __m512i Even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22,
                                   24, 26, 28, 30);
  __m512i Odd = _mm512_or_si512(Even, _mm512_set1_epi32(1));
  return _mm512_add_ps(_mm512_permutex2var_ps(Low, Even, High),
                       _mm512_permutex2var_ps(Low, Odd, High));
}

KERNEL(stride_2) {
  const float *From = D->A;
  float *To = D->C;
  long I = 0;
  for (; I + 16 <= N; I += 16)
    _mm512_storeu_ps(To + I, addPairs(_mm512_loadu_ps(From + 2 * I),
                                      _mm512_loadu_ps(From + 2 * I + 16)));
  if (I < N) {
    __mmask32 In = (__mmask32)((1ull << (2 * (N - I))) - 1);
    V Low = _mm512_maskz_loadu_ps((__mmask16)In, From + 2 * I);
    V High = _mm512_maskz_loadu_ps((__mmask16)(In >> 16), From + 2 * I + 16);
    _mm512_mask_storeu_ps(To + I, first(N - I), addPairs(Low, High));
  }
  return 0;
}

KERNEL(average_u8) {
  const unsigned char *P = D->P, *Q = D->Q;
  unsigned char *R = D->R;
  long I = 0;
  for (; I + 64 <= N; I += 64)
    _mm512_storeu_si512(R + I, _mm512_avg_epu8(_mm512_loadu_si512(P + I),
                                               _mm512_loadu_si512(Q + I)));
  if (I < N) {
    __mmask64 M = (1ull << (N - I)) - 1;
    _mm512_mask_storeu_epi8(R + I, M,
                            _mm512_avg_epu8(_mm512_maskz_loadu_epi8(M, P + I),
                                            _mm512_maskz_loadu_epi8(M, Q + I)));
  }
  return 0;
}

KERNEL(argmin) {
  V Least = _mm512_set1_ps(D->A[0]);
  __m512i At = _mm512_setzero_si512();
  __m512i Index =
      _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  long I = 0;
  for (; I + 16 <= N; I += 16) {
    V A = _mm512_loadu_ps(D->A + I);
    __mmask16 M = _mm512_cmp_ps_mask(A, Least, _CMP_LT_OQ);
    Least = _mm512_min_ps(A, Least);
    At = _mm512_mask_mov_epi32(At, M, Index);
    Index = _mm512_add_epi32(Index, _mm512_set1_epi32(16));
  }
  if (I < N) {
    V A = _mm512_mask_loadu_ps(Least, first(N - I), D->A + I);
    __mmask16 M = _mm512_cmp_ps_mask(A, Least, _CMP_LT_OQ);
    Least = _mm512_min_ps(A, Least);
    At = _mm512_mask_mov_epi32(At, M, Index);
  }
  float Lowest = _mm512_reduce_min_ps(Least);
  __mmask16 Equal =
      _mm512_cmp_ps_mask(Least, _mm512_set1_ps(Lowest), _CMP_EQ_OQ);
  return _mm512_mask_reduce_min_epi32(Equal, At) + Lowest;
}

KERNEL(last_value) {
  const float *A = D->A, *B = D->B;
  float *C = D->C;
  long I = 0;
  for (; I + 16 <= N; I += 16)
    _mm512_storeu_ps(
        C + I, _mm512_mul_ps(_mm512_loadu_ps(A + I), _mm512_loadu_ps(B + I)));
  if (I < N) {
    __mmask16 M = first(N - I);
    _mm512_mask_storeu_ps(C + I, M,
                          _mm512_mul_ps(_mm512_maskz_loadu_ps(M, A + I),
                                        _mm512_maskz_loadu_ps(M, B + I)));
  }
  return N > 0 ? A[N - 1] * B[N - 1] : 0;
}

KERNEL(conditional_last) {
  /* Counted from one: zero is made without waiting for the register. */
  __m512i At = _mm512_setzero_si512();
  __m512i Index =
      _mm512_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  long I = 0;
  for (; I + 16 <= N; I += 16) {
    __mmask16 M = _mm512_cmp_ps_mask(_mm512_loadu_ps(D->A + I),
                                     _mm512_loadu_ps(D->B + I), _CMP_GT_OQ);
    At = _mm512_mask_mov_epi32(At, M, Index);
    Index = _mm512_add_epi32(Index, _mm512_set1_epi32(16));
  }
  if (I < N) {
    __mmask16 In = first(N - I);
    __mmask16 M = _mm512_mask_cmp_ps_mask(
        In, _mm512_maskz_loadu_ps(In, D->A + I),
        _mm512_maskz_loadu_ps(In, D->B + I), _CMP_GT_OQ);
    At = _mm512_mask_mov_epi32(At, M, Index);
  }
  int Last = _mm512_reduce_max_epi32(At);
  return Last ? D->A[Last - 1] : 0;
}

/* Row I of the result: element I of each row of Left, times row I of Right.
   With both in registers, as it is done first, a row is a shuffle, which has
   one port where loads have two. */
static inline V multiply(V Left, const float *Right) {
#ifdef FIRST
  V Whole = _mm512_loadu_ps(Right);
#define ROW(I) _mm512_shuffle_f32x4(Whole, Whole, 0x55 * (I))
#else
#define ROW(I) _mm512_broadcast_f32x4(_mm_loadu_ps(Right + 4 * (I)))
#endif
#define COLUMN(I) _mm512_permute_ps(Left, 0x55 * (I))
  V Sum = _mm512_mul_ps(COLUMN(0), ROW(0));
  Sum = _mm512_fmadd_ps(COLUMN(1), ROW(1), Sum);
  Sum = _mm512_fmadd_ps(COLUMN(2), ROW(2), Sum);
  return _mm512_fmadd_ps(COLUMN(3), ROW(3), Sum);
#undef ROW
#undef COLUMN
}

KERNEL(multiply_4x4) {
  const float *A = D->A, *B = D->B;
  float *C = D->C;
  for (long M = 0; M < N && M < Apart / 16; ++M)
    _mm512_storeu_ps(C + 16 * M,
                     multiply(_mm512_loadu_ps(A + 16 * M), B + 16 * M));
  return 0;
}

KERNEL(pair_4x4) {
  const float *Left = D->A, *Right = D->B;
  float *To = D->C;
  __m512i Transposed =
      _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  for (long M = 0; M < N && M < Apart / 16; ++M) {
    const float *A = Left + 16 * M, *B = Right + 16 * M;
    V First = _mm512_permutexvar_ps(Transposed, _mm512_loadu_ps(A));
    _mm512_storeu_ps(To + 16 * M, multiply(First, B));
    _mm512_storeu_ps(To + Apart + 16 * M, multiply(_mm512_loadu_ps(B), A));
  }
  return 0;
}

/* Row I of the result: element (I, L), or (L, I) of a transposed one, of Left,
   times row L of Right. */
static inline void multiplyDouble(const double *Left, int Rows, int Columns,
                                  const double *Right, double *To) {
  __m256d Row[4];
  UNROLLED for (int L = 0; L < 4; ++L) Row[L] = _mm256_loadu_pd(Right + 4 * L);
  UNROLLED for (int I = 0; I < 4; ++I) {
    const double *At = Left + Rows * I;
    __m256d Sum = _mm256_mul_pd(_mm256_set1_pd(*At), Row[0]);
    UNROLLED for (int L = 1; L < 4; ++L) Sum =
        _mm256_fmadd_pd(_mm256_set1_pd(At[Columns * L]), Row[L], Sum);
    _mm256_storeu_pd(To + 4 * I, Sum);
  }
}

KERNEL(multiply_4x4_double) {
  const double *X = D->X, *Y = D->Y;
  double *Z = D->Z;
  for (long M = 0; M < N && M < Apart / 16; ++M)
    multiplyDouble(X + 16 * M, 4, 1, Y + 16 * M, Z + 16 * M);
  return 0;
}

KERNEL(pair_4x4_double) {
  const double *Left = D->X, *Right = D->Y;
  double *To = D->Z;
  for (long M = 0; M < N && M < Apart / 16; ++M) {
    const double *A = Left + 16 * M, *B = Right + 16 * M;
    multiplyDouble(A, 1, 4, B, To + 16 * M);
    multiplyDouble(B, 4, 1, A, To + Apart + 16 * M);
  }
  return 0;
}

#define ENTRY(Name, Trips) {#Name, Name},
const struct Entry TABLE[] = {KERNELS(ENTRY){0, 0}};
