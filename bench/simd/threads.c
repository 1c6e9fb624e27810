/*===- threads.c - What threads and lanes give together -------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Runs each kernel with one thread and two, without vectors and with them, in
|* turns that change each round. The 25th percentile of the rounds is reported.
|*
|* Usage: threads [ROUNDS]
|*
\*===----------------------------------------------------------------------===*/

#include "threads.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40001, Width = 501, Height = 101, Limit = 256, MaxRounds = 2001 };

static float Price[N], Strike[N], Years[N], Signal[2 * (N + TapCount)];
static float Taps[2 * TapCount];
static union {
  float Floats[2 * N];
  int Ints[Width * Height];
} Out, Expected;

static void runScalar(int Kernel) {
  if (Kernel == 0)
    scalar_black_scholes(Out.Floats, Price, Strike, Years, N);
  else if (Kernel == 1)
    scalar_radar(Out.Floats, Signal, Taps, N);
  else
    scalar_mandelbrot(Out.Ints, Width, Height, Limit);
}

static void runSimd(int Kernel) {
  if (Kernel == 0)
    simd_black_scholes(Out.Floats, Price, Strike, Years, N);
  else if (Kernel == 1)
    simd_radar(Out.Floats, Signal, Taps, N);
  else
    simd_mandelbrot(Out.Ints, Width, Height, Limit);
}

/* Counts have to be identical. */
static int isRight(int Kernel) {
  if (Kernel == 2)
    return !memcmp(Out.Ints, Expected.Ints, sizeof Out.Ints);
  for (int I = 0; I < (Kernel == 1 ? 2 * N : N); ++I)
    if (!(fabsf(Out.Floats[I] - Expected.Floats[I]) <=
          2e-4f * (1 + fabsf(Expected.Floats[I]))))
      return 0;
  return 1;
}

static int less(const void *A, const void *B) {
  double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

int main(int Argc, char **Argv) {
  static const char *const Kernels[] = {"black-scholes", "radar", "mandelbrot"};
  static const struct {
    const char *Name;
    void (*Run)(int);
    int Threads;
  } Ways[] = {{"scalar-1", runScalar, 1},
              {"simd-1", runSimd, 1},
              {"scalar-2", runScalar, 2},
              {"simd-2", runSimd, 2}};
  static double Times[4][MaxRounds];
  int Rounds = Argc > 1 ? atoi(Argv[1]) : 101, Failed = 0;
  if (Rounds < 1 || Rounds > MaxRounds)
    return 2;
  for (int I = 0; I < N; ++I) {
    Price[I] = 20.0f + (float)(I % 97);
    Strike[I] = 30.0f + (float)(I % 89);
    Years[I] = 0.25f + (float)(I % 83) / 16.0f;
  }
  for (int I = 0; I < 2 * (N + TapCount); ++I)
    Signal[I] = (float)(I % 101) / 101.0f;
  for (int I = 0; I < 2 * TapCount; ++I)
    Taps[I] = (float)(I % 7) / 7.0f;
  for (int K = 0; K < 3; ++K) {
    int Right[4];
    for (int W = 0; W < 4; ++W) {
      memset(&Out, -1, sizeof Out);
      omp_set_num_threads(Ways[W].Threads);
      Ways[W].Run(K);
      if (W == 0)
        Expected = Out;
      Right[W] = isRight(K);
      Failed |= !Right[W];
    }
    for (int R = 0; R < Rounds; ++R)
      for (int Turn = 0; Turn < 4; ++Turn) {
        int W = (R + Turn) % 4;
        omp_set_num_threads(Ways[W].Threads);
        Ways[W].Run(K); /* wakes or dismisses the second thread */
        double Begin = omp_get_wtime();
        Ways[W].Run(K);
        Times[W][R] = omp_get_wtime() - Begin;
      }
    for (int W = 0; W < 4; ++W)
      qsort(Times[W], Rounds, sizeof(double), less);
    for (int W = 0; W < 4; ++W)
      printf("RESULT,simd-threads,%s,%s,%.4f,speedup=%.2f;best=%.2f,%s\n",
             Ways[W].Name, Kernels[K], 1e3 * Times[W][Rounds / 4],
             Times[0][Rounds / 4] / Times[W][Rounds / 4],
             Times[0][0] / Times[W][0], Right[W] ? "ok" : "BAD");
    fflush(stdout);
  }
  return Failed;
}
