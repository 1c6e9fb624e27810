/*===- pathfinder.c - Cheapest path through a grid, row by row ------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Dynamic programming: a cell costs its own weight and the cheapest of the
|* three cells before it. One parallel loop a row; the two cost rows stay on the
|* device and change places by exchanging the host's pointers. The private
|* clause makes the shared scalar safe, as in the paper's baseline.
|*
|* Usage: pathfinder [columns [rows]]
|*
\*===----------------------------------------------------------------------===*/

#include "demo_acc.h"

#include <string.h>

#define MIN(A, B) ((A) < (B) ? (A) : (B))

/* Leaves the cost of the last row in Dst or Src, whichever it returns. */
static int *onDevice(int Columns, int Rows, const int *Weight, int *Src,
                     int *Dst) {
  int Cheapest;
  int *Result = Rows % 2 ? Src : Dst;
#pragma acc data copyin(Weight[0 : (size_t)Rows * Columns])                    \
    copy(Src[0 : Columns], Dst[0 : Columns])
  {
    for (int T = 0; T < Rows - 1; ++T) {
#pragma acc kernels
#pragma acc loop private(Cheapest) independent
      for (int N = 0; N < Columns; ++N) {
        Cheapest = Src[N];
        if (N > 0)
          Cheapest = MIN(Cheapest, Src[N - 1]);
        if (N < Columns - 1)
          Cheapest = MIN(Cheapest, Src[N + 1]);
        Dst[N] = Weight[(size_t)(T + 1) * Columns + N] + Cheapest;
      }
      int *Swap = Src;
      Src = Dst;
      Dst = Swap;
    }
  }
  return Result;
}

static void onHost(int Columns, int Rows, const int *Weight, int *Src,
                   int *Dst) {
  for (int T = 1; T < Rows; ++T) {
    for (int N = 0; N < Columns; ++N) {
      int Cheapest = Src[N];
      if (N > 0 && Src[N - 1] < Cheapest)
        Cheapest = Src[N - 1];
      if (N < Columns - 1 && Src[N + 1] < Cheapest)
        Cheapest = Src[N + 1];
      Dst[N] = Weight[(size_t)T * Columns + N] + Cheapest;
    }
    memcpy(Src, Dst, (size_t)Columns * sizeof(int));
  }
}

int main(int Argc, char **Argv) {
  int Columns = demoSize(Argc, Argv, 1, 100003);
  int Rows = demoSize(Argc, Argv, 2, 120);
  int Devices = demoDevices() > 0;
  size_t Cells = (size_t)Rows * Columns;
  int *Weight = (int *)demoAlloc(Cells, sizeof(int));
  int *A = (int *)demoAlloc((size_t)Columns, sizeof(int));
  int *B = (int *)demoAlloc((size_t)Columns, sizeof(int));
  int *Expected = (int *)demoAlloc((size_t)Columns, sizeof(int));
  int *Scratch = (int *)demoAlloc((size_t)Columns, sizeof(int));
  for (size_t I = 0; I < Cells; ++I)
    Weight[I] = (int)(10 * demoValue(I));
  memcpy(Expected, Weight, (size_t)Columns * sizeof(int));
  onHost(Columns, Rows, Weight, Expected, Scratch);

  double Times[DemoRepeats];
  int Good = 1;
  for (int R = 0; R < DemoRepeats; ++R) {
    memcpy(A, Weight, (size_t)Columns * sizeof(int));
    memset(B, 0, (size_t)Columns * sizeof(int));
    double Begin = demoNow();
    const int *Got = onDevice(Columns, Rows, Weight, A, B);
    Times[R] = demoNow() - Begin;
    Good = Good && demoEqual(Got, Expected, (size_t)Columns);
  }
  double Ms = demoMedianMs(Times, DemoRepeats);
  char Size[32], Metric[64];
  snprintf(Size, sizeof(Size), "%dx%d", Columns, Rows);
  snprintf(Metric, sizeof(Metric), "%.1f Mcells/s on %s",
           1e-3 * (double)Cells / Ms, demoPlace(Devices));
  free(Weight), free(A), free(B), free(Expected), free(Scratch);
  return demoReport("acc-pathfinder", Size, Ms, Metric, Good);
}
