/*===- threads.h - The kernels of the threads benchmark -----------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Defined twice, without vectors and with our passes.
|*
\*===----------------------------------------------------------------------===*/

#ifndef THREADS_H
#define THREADS_H

enum { TapCount = 23 };

#define KERNELS(Impl)                                                          \
  void Impl##_black_scholes(float *restrict Out, const float *restrict Price,  \
                            const float *restrict Strike,                      \
                            const float *restrict Years, int N);               \
  void Impl##_radar(float *restrict Out, const float *restrict In,             \
                    const float *restrict Taps, int N);                        \
  void Impl##_mandelbrot(int *restrict Out, int Width, int Height, int Limit);
KERNELS(scalar)
KERNELS(simd)

#endif
