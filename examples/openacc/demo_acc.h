/*===- demo_acc.h - Clock, checks and the RESULT line of the demos --------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* What every OpenACC demo needs besides its computation. C11 and C++.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_EXAMPLES_DEMO_ACC_H
#define ACCX_EXAMPLES_DEMO_ACC_H

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { DemoRepeats = 5 };

/** Number of devices of the current type, 1 for the host. Ends the program
    where regions for a device run on the host after all. */
static inline int demoDevices(void) {
  acc_device_t Type = acc_get_device_type();
  if (Type == acc_device_host)
    return 1;
  int Count = acc_get_num_devices(Type);
  if (Count == 0) {
    fprintf(stderr, "demo: no device\n");
    exit(2);
  }
  for (int D = 0; D < Count; ++D) {
    int OnDevice = 0;
    acc_set_device_num(D, Type);
#pragma acc serial copyout(OnDevice)
    OnDevice = acc_on_device(acc_device_not_host);
    if (!OnDevice) {
      fprintf(stderr, "demo: device %d runs on the host\n", D);
      exit(2);
    }
  }
  acc_set_device_num(0, Type);
  return Count;
}

/** Where the regions run, for the metric of a RESULT line. */
static inline const char *demoPlace(int Devices) {
  static char Text[32];
  if (acc_get_device_type() == acc_device_host)
    return "the host";
  snprintf(Text, sizeof(Text), Devices == 1 ? "%d device" : "%d devices",
           Devices);
  return Text;
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
  void *P = calloc(Count ? Count : 1, Size);
  if (!P) {
    fprintf(stderr, "demo: out of memory\n");
    exit(2);
  }
  return P;
}

/** First of the Total items that part number Part of Parts gets; Part may
    equal Parts. */
static inline int demoShare(int Total, int Part, int Parts) {
  return (int)((long)Total * Part / Parts);
}

/** Values in [0, 1) that differ from cell to cell. */
static inline float demoValue(size_t I) {
  unsigned Hash = (unsigned)I * 2654435761u;
  Hash ^= Hash >> 15;
  return (float)(Hash % 9973u) / 9973.0f;
}

static inline double demoNow(void) {
  struct timespec Now;
  timespec_get(&Now, TIME_UTC);
  return (double)Now.tv_sec + 1e-9 * (double)Now.tv_nsec;
}

/** Whether Got lies within Tolerance of Expected, relative to the larger of
    that one's magnitude and 1. */
static inline int demoNear(double Got, double Expected, double Tolerance) {
  double Error = Got - Expected;
  double Scale = Expected < 0 ? -Expected : Expected;
  if (Scale < 1)
    Scale = 1;
  /* Not the negation, so that a NaN is an error. */
  return Error <= Tolerance * Scale && -Error <= Tolerance * Scale;
}

/** demoNear for every element. */
static inline int demoClose(const float *Got, const float *Expected,
                            size_t Count, double Tolerance) {
  for (size_t I = 0; I < Count; ++I)
    if (!demoNear(Got[I], Expected[I], Tolerance)) {
      fprintf(stderr, "demo: element %zu is %g, expected %g\n", I,
              (double)Got[I], (double)Expected[I]);
      return 0;
    }
  return 1;
}

/** demoNear for every element. */
static inline int demoCloseDouble(const double *Got, const double *Expected,
                                  size_t Count, double Tolerance) {
  for (size_t I = 0; I < Count; ++I)
    if (!demoNear(Got[I], Expected[I], Tolerance)) {
      fprintf(stderr, "demo: element %zu is %g, expected %g\n", I, Got[I],
              Expected[I]);
      return 0;
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

#endif /* ACCX_EXAMPLES_DEMO_ACC_H */
