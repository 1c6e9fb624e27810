/*===- heat.c - 2-D heat equation until nothing changes any more ----------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The plate's border keeps its temperature; the inner points are relaxed until
|* the largest difference between two iterations falls below a bound. That
|* difference is a max reduction over a gang and a vector loop, as in OpenUH's
|* evaluation. The loop nest is the body of a parallel construct of its own, so
|* each iteration is two kernels and one value that comes back.
|*
|* Usage: heat [columns [rows]]
|*
\*===----------------------------------------------------------------------===*/

#include "demo_acc.h"

#include <math.h>
#include <string.h>

static const double Bound = 1e-2;
enum { MaxIterations = 100000 };

/* Iterations until convergence; the temperatures end up in Old. */
static int onDevice(int NI, int NJ, double *Old, double *New) {
  size_t Cells = (size_t)NI * NJ;
  double Error = 2 * Bound;
  int Iteration = 0;
#pragma acc data copy(Old[0 : Cells]) create(New[0 : Cells])
  {
    while (Error > Bound && Iteration < MaxIterations) {
#pragma acc parallel loop gang present(Old[0 : Cells], New[0 : Cells])
      for (int J = 1; J < NJ - 1; ++J) {
#pragma acc loop vector
        for (int I = 1; I < NI - 1; ++I) {
          size_t At = (size_t)J * NI + I;
          New[At] =
              0.25 * (Old[At - 1] + Old[At + 1] + Old[At - NI] + Old[At + NI]);
        }
      }
      Error = 0;
#pragma acc parallel present(Old, New) copy(Error)
      {
#pragma acc loop gang reduction(max : Error)
        for (int J = 1; J < NJ - 1; ++J) {
#pragma acc loop vector reduction(max : Error)
          for (int I = 1; I < NI - 1; ++I) {
            size_t At = (size_t)J * NI + I;
            Error = fmax(Error, fabs(New[At] - Old[At]));
          }
        }
      }
#pragma acc parallel loop collapse(2) present(Old, New)
      for (int J = 1; J < NJ - 1; ++J)
        for (int I = 1; I < NI - 1; ++I)
          Old[(size_t)J * NI + I] = New[(size_t)J * NI + I];
      ++Iteration;
    }
  }
  return Iteration;
}

static int onHost(int NI, int NJ, double *Old, double *New) {
  double Error = 2 * Bound;
  int Iteration = 0;
  for (; Error > Bound && Iteration < MaxIterations; ++Iteration) {
    Error = 0;
    for (int J = 1; J < NJ - 1; ++J)
      for (int I = 1; I < NI - 1; ++I) {
        size_t At = (size_t)J * NI + I;
        New[At] =
            0.25 * (Old[At - 1] + Old[At + 1] + Old[At - NI] + Old[At + NI]);
        Error = fmax(Error, fabs(New[At] - Old[At]));
      }
    for (int J = 1; J < NJ - 1; ++J)
      memcpy(Old + (size_t)J * NI + 1, New + (size_t)J * NI + 1,
             (size_t)(NI > 2 ? NI - 2 : 0) * sizeof(double));
  }
  return Iteration;
}

/* One edge is hot, the opposite one warm, the plate cold. */
static void start(int NI, int NJ, double *T) {
  memset(T, 0, (size_t)NI * NJ * sizeof(double));
  for (int I = 0; I < NI; ++I) {
    T[I] = 100;
    T[(size_t)(NJ - 1) * NI + I] = 20;
  }
}

int main(int Argc, char **Argv) {
  int NI = demoSize(Argc, Argv, 1, 97);
  int NJ = demoSize(Argc, Argv, 2, 65);
  int Devices = demoDevices() > 0;
  size_t Cells = (size_t)NI * NJ;
  double *Old = (double *)demoAlloc(Cells, sizeof(double));
  double *New = (double *)demoAlloc(Cells, sizeof(double));
  double *Expected = (double *)demoAlloc(Cells, sizeof(double));
  start(NI, NJ, Expected);
  int ExpectedIterations = onHost(NI, NJ, Expected, New);

  double Times[DemoRepeats];
  int Good = ExpectedIterations < MaxIterations;
  for (int R = 0; R < DemoRepeats; ++R) {
    start(NI, NJ, Old);
    double Begin = demoNow();
    int Iterations = onDevice(NI, NJ, Old, New);
    Times[R] = demoNow() - Begin;
    if (Iterations != ExpectedIterations) {
      fprintf(stderr, "demo: %d iterations, expected %d\n", Iterations,
              ExpectedIterations);
      Good = 0;
    }
    Good = Good && demoCloseDouble(Old, Expected, Cells, 1e-10);
  }
  double Ms = demoMedianMs(Times, DemoRepeats);
  char Size[32], Metric[64];
  snprintf(Size, sizeof(Size), "%dx%d", NI, NJ);
  snprintf(Metric, sizeof(Metric), "%d iterations on %s", ExpectedIterations,
           demoPlace(Devices));
  free(Old), free(New), free(Expected);
  return demoReport("acc-heat", Size, Ms, Metric, Good);
}
