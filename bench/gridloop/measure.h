//===- measure.h - Timing and checks of both sides ---------------*- C -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the directive programs and their CUDA rivals share: data, medians,
// result lines. Header only; C and CUDA C++.
//
//===----------------------------------------------------------------------===//

#ifndef GRIDLOOP_MEASURE_H
#define GRIDLOOP_MEASURE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MaxRuns = 200 };

static inline double nowMs(void) {
  struct timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return (double)T.tv_sec * 1e3 + (double)T.tv_nsec * 1e-6;
}

static int compareTimes(const void *A, const void *B) {
  double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

/* Ten runs at least, more while they take less than 60 ms together; before
   that 30 ms of the same, so that clocks have risen. */
#define MEDIAN_OF(RESULT, ...)                                                 \
  do {                                                                         \
    double Times_[MaxRuns], All_ = 0, Warm_ = nowMs();                         \
    int Runs_ = 0;                                                             \
    do {                                                                       \
      __VA_ARGS__;                                                             \
    } while (nowMs() - Warm_ < 30);                                            \
    while (Runs_ < MaxRuns && (Runs_ < 10 || All_ < 60)) {                     \
      double Begin_ = nowMs();                                                 \
      __VA_ARGS__;                                                             \
      Times_[Runs_] = nowMs() - Begin_;                                        \
      All_ += Times_[Runs_++];                                                 \
    }                                                                          \
    qsort(Times_, (size_t)Runs_, sizeof Times_[0], compareTimes);              \
    RESULT = Times_[Runs_ / 2];                                                \
  } while (0)

/* Programs without arguments do all work, with names only that. */
static inline int isWanted(int Count, char **Args, const char *Name) {
  int Named = 0;
  for (int I = 1; I < Count; ++I) {
    if (!strcmp(Args[I], Name))
      return 1;
    Named |= strcmp(Args[I], "small") && strcmp(Args[I], "host");
  }
  return !Named;
}

static int Wrong;

static void report(const char *Bench, const char *Impl, long Size, double Ms,
                   double Work, const char *Unit, int Right) {
  printf("RESULT,%s,%s,%ld,%.4f,%s=%.4g,%s\n", Bench, Impl, Size, Ms, Unit,
         Work / Ms * 1e-6, Right ? "ok" : "BAD");
  fflush(stdout);
  Wrong += !Right;
}

/* In [0, 1), the same on every machine. */
static inline float noise(unsigned long I) {
  unsigned long Z = (I + 1) * 0x9e3779b97f4a7c15ul;
  Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9ul;
  Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebul;
  return (float)((Z ^ (Z >> 31)) >> 40) * (1.0f / 16777216.0f);
}

static inline float *filled(size_t N) {
  float *P =
      (float *)aligned_alloc(4096, (N * sizeof(float) + 4095) / 4096 * 4096);
  if (!P) {
    fprintf(stderr, "out of memory\n");
    exit(3);
  }
  for (size_t I = 0; I < N; ++I)
    P[I] = noise(I);
  return P;
}

static inline int isNear(double Got, double Want, double Tolerance) {
  return fabs(Got - Want) <= Tolerance * (1 + fabs(Want));
}

/* Some of the N places, spread over all of them. */
#define SPREAD(I, N) (size_t I = 0; I < (N); I += ((N) / 9973 | 1))

/* The benchmarks' parameters. */
#define HEAT_STEPS 4
#define STENCIL_STEPS 4
#define HOTSPOT_STEPS 12

#endif /* GRIDLOOP_MEASURE_H */
