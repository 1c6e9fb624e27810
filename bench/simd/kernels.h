/*===- kernels.h - The kernels of the masked-vector benchmark -----*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* kernels.c is compiled once for each compiler and flag set, intrinsics.c once.
|* Each defines a table of the same kernels in the same order.
|*
\*===----------------------------------------------------------------------===*/

#ifndef KERNELS_H
#define KERNELS_H

enum { Longest = 100000, Room = 2 * Longest + 4096 };

/* Inputs lie as far from the cache line's begin as the driver wants. */
struct Data {
  float *A, *B, *C, *D;
  double *X, *Y, *Z;
  int *I, *J, *K;
  unsigned char *P, *Q, *R;
};

/* What is compared: the value, and the outputs C, D, Z, K and R. */
typedef double Kernel(struct Data *D, long N, long Calls);

/* Calls a kernel from its own build, as programs do. Compilers can neither join
   the calls nor leave them out. */
#define REPEATED(Name, Once)                                                   \
  static double Name(struct Data *D, long N, long Calls) {                     \
    double Value = 0;                                                          \
    for (long Call = 0; Call < Calls; ++Call) {                                \
      Value = Once(D, N);                                                      \
      __asm__ volatile("" : : "x"(Value) : "memory");                          \
    }                                                                          \
    return Value;                                                              \
  }

/* Matrices; the second results of pairs lie behind those of all first ones. */
enum { Apart = 50000 };

/* Name and the trip count that it is written for, 0 where any will do. */
#define KERNELS(X)                                                             \
  X(add_float_31, 31)                                                          \
  X(add_double_31, 31)                                                         \
  X(add_int_31, 31)                                                            \
  X(add_float, 0)                                                              \
  X(add_alias, 0)                                                              \
  X(sqrt_sum_31, 31)                                                           \
  X(sqrt_sum, 0)                                                               \
  X(dot_double_7, 7)                                                           \
  X(convolve_double_7, 7)                                                      \
  X(convolve_5x5, 0)                                                           \
  X(radar, 0)                                                                  \
  X(radar_complex, 0)                                                          \
  X(nbody, 0)                                                                  \
  X(back_project, 0)                                                           \
  X(black_scholes, 0)                                                          \
  X(conditional_sum, 0)                                                        \
  X(stride_2, 0)                                                               \
  X(average_u8, 0)                                                             \
  X(argmin, 0)                                                                 \
  X(last_value, 0)                                                             \
  X(conditional_last, 0)                                                       \
  X(multiply_4x4, 0)                                                           \
  X(pair_4x4, 0)                                                               \
  X(multiply_4x4_double, 0)                                                    \
  X(pair_4x4_double, 0)

struct Entry {
  const char *Name;
  Kernel *Run;
};

#endif
