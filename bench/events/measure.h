/*===- measure.h - Clock, medians, data and RESULT lines ------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* What the benchmarks of events share. C11, C++ and CUDA.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_BENCH_EVENTS_MEASURE_H
#define ACCX_BENCH_EVENTS_MEASURE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/** Ends the program if a function of accx gave an error. */
#define MUST(call) measureMust((call), #call)
static inline void measureMust(int Code, const char *Call) {
  if (Code >= 0)
    return;
  fprintf(stderr, "%s: %s\n", Call, strerror(-Code));
  exit(2);
}

/** Milliseconds. */
static inline double measureNow(void) {
  struct timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return 1e3 * (double)T.tv_sec + 1e-6 * (double)T.tv_nsec;
}

static inline int measureLess(const void *A, const void *B) {
  const double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

/** Sorts. */
static inline double measureMedian(double *T, int Count) {
  qsort(T, (size_t)Count, sizeof(double), measureLess);
  return T[Count / 2];
}

/** Argument number Index, or Default. */
static inline long measureArgument(int Argc, char **Argv, int Index,
                                   long Default) {
  if (Index >= Argc)
    return Default;
  char *End;
  const long Value = strtol(Argv[Index], &End, 10);
  if (*End || Value < 0) {
    fprintf(stderr, "'%s' is not a number\n", Argv[Index]);
    exit(2);
  }
  return Value;
}

static inline void *measureAlloc(size_t Bytes) {
  void *P = calloc(Bytes ? Bytes : 1, 1);
  if (!P) {
    fprintf(stderr, "out of memory\n");
    exit(2);
  }
  return P;
}

/** Bytes as a size that people read. */
static inline const char *measureSize(size_t Bytes) {
  static char Text[4][32];
  static int Next;
  char *T = Text[Next++ % 4];
  if (Bytes >= 1 << 20 && Bytes % (1 << 20) == 0)
    snprintf(T, 32, "%zuMiB", Bytes >> 20);
  else if (Bytes >= 1024 && Bytes % 1024 == 0)
    snprintf(T, 32, "%zuKiB", Bytes >> 10);
  else
    snprintf(T, 32, "%zuB", Bytes);
  return T;
}

static inline int measureResult(const char *Bench, const char *Impl,
                                const char *Size, double Ms, const char *Metric,
                                int Good) {
  printf("RESULT,events-%s,%s,%s,%.6f,%s,%s\n", Bench, Impl, Size, Ms, Metric,
         Good ? "ok" : "BAD");
  fflush(stdout);
  return Good ? 0 : 1;
}

/** A RESULT line whose metric is the bandwidth. */
static inline int measureBandwidth(const char *Bench, const char *Impl,
                                   size_t Bytes, double Ms, int Good) {
  char Metric[32];
  snprintf(Metric, sizeof(Metric), "%.2f GB/s", 1e-6 * (double)Bytes / Ms);
  return measureResult(Bench, Impl, measureSize(Bytes), Ms, Metric, Good);
}

/** Word number I of the test data. */
#pragma acc routine seq
static inline uint64_t measureWord(uint64_t I, uint64_t Seed) {
  uint64_t X = (I + Seed) * 0x9E3779B97F4A7C15u;
  return X ^ (X >> 29);
}

#endif /* ACCX_BENCH_EVENTS_MEASURE_H */
