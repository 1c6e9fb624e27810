/*===- demo.h - Clock, sizes and the RESULT line of the demo programs -----===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* What every demo needs besides its computation.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_EXAMPLES_DEMO_H
#define ACCX_EXAMPLES_DEMO_H

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { DemoRepeats = 5 };

/** The number of devices; ends the program where there is none, or where a
    target region would run on the host after all. */
static inline int demoDevices(void) {
  int Count = omp_get_num_devices();
  if (Count == 0) {
    fprintf(stderr, "demo: no offload device\n");
    exit(2);
  }
  for (int D = 0; D < Count; ++D) {
    int OnHost = 1;
#pragma omp target device(D) map(from : OnHost)
    OnHost = omp_is_initial_device();
    if (OnHost) {
      fprintf(stderr, "demo: device %d runs on the host\n", D);
      exit(2);
    }
  }
  return Count;
}

/** Argument number Index as a positive size, or Default if it is not given. */
static inline int demoSize(int Argc, char **Argv, int Index, int Default) {
  if (Index >= Argc)
    return Default;
  char *End;
  long Value = strtol(Argv[Index], &End, 10);
  if (*End || Value < 1 || Value > 1 << 28) {
    fprintf(stderr, "demo: '%s' is not a size\n", Argv[Index]);
    exit(2);
  }
  return (int)Value;
}

/** Zeroed memory, or the end of the program. */
static inline void *demoAlloc(size_t Count, size_t Size) {
  void *P = calloc(Count, Size);
  if (!P) {
    fprintf(stderr, "demo: out of memory\n");
    exit(2);
  }
  return P;
}

/** First row of Part when Rows rows are dealt to Parts parts; Part may equal
    Parts. */
static inline int demoShare(int Rows, int Part, int Parts) {
  return (int)((long)Rows * Part / Parts);
}

/** Values in [0, 1) that differ from cell to cell. */
static inline float demoValue(size_t I) {
  unsigned Hash = (unsigned)I * 2654435761u;
  Hash ^= Hash >> 15;
  return (float)(Hash % 9973u) / 9973.0f;
}

/** Whether every value lies within Tolerance of the expected one, relative to
    the larger of that one and 1. */
static inline int demoClose(const float *Got, const float *Expected,
                            size_t Count, float Tolerance) {
  for (size_t I = 0; I < Count; ++I) {
    float Error = Got[I] - Expected[I];
    float Scale = Expected[I] < 0 ? -Expected[I] : Expected[I];
    if (Scale < 1)
      Scale = 1;
    /* Negated, so that a NaN is an error. */
    if (!(Error <= Tolerance * Scale && -Error <= Tolerance * Scale)) {
      fprintf(stderr, "demo: element %zu is %g, expected %g\n", I, Got[I],
              Expected[I]);
      return 0;
    }
  }
  return 1;
}

/** Whether two integer arrays are equal. */
static inline int demoEqual(const int *Got, const int *Expected, size_t Count) {
  for (size_t I = 0; I < Count; ++I)
    if (Got[I] != Expected[I]) {
      fprintf(stderr, "demo: element %zu is %d, expected %d\n", I, Got[I],
              Expected[I]);
      return 0;
    }
  return 1;
}

static inline int demoLess(const void *A, const void *B) {
  double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

/** Median of the seconds in Times, in milliseconds. Sorts Times. */
static inline double demoMedianMs(double *Times, int Count) {
  qsort(Times, (size_t)Count, sizeof(double), demoLess);
  return 1e3 * (Count % 2 ? Times[Count / 2]
                          : (Times[Count / 2 - 1] + Times[Count / 2]) / 2);
}

/** Prints the RESULT line; returns what main is to return. */
static inline int demoReport(const char *Name, const char *Size, double Ms,
                             const char *Metric, int Good) {
  printf("RESULT,%s,accx,%s,%.3f,%s,%s\n", Name, Size, Ms, Metric,
         Good ? "ok" : "BAD");
  return Good ? 0 : 1;
}

#endif /* ACCX_EXAMPLES_DEMO_H */
