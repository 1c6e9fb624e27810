/*===- vecadd.c - Vector additions alternating between device and host ----===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The data-directory paper's first small benchmark. Three additions, each of
|* which needs the one before it:
|*
|*   device  C = A + B   -> update from ->  host  D = C + A
|*   host    D           -> update to   ->  device  E = D + C
|*
|* Usage: vecadd [elements]
|*
\*===----------------------------------------------------------------------===*/

#include "demo.h"

static void add(int Device, const int *X, const int *Y, int *Sum, int Begin,
                int Count) {
#pragma omp target teams distribute parallel for device(Device)                \
    map(to : X[Begin : Count], Y[Begin : Count])                               \
    map(from : Sum[Begin : Count])
  for (int I = Begin; I < Begin + Count; ++I)
    Sum[I] = X[I] + Y[I];
}

/* One part of the vectors on one device, from allocation to release. */
static void chain(int Device, const int *A, const int *B, int *C, int *D,
                  int *E, int Begin, int Count) {
#pragma omp target data device(Device)                                         \
    map(to : A[Begin : Count], B[Begin : Count])                               \
    map(alloc : C[Begin : Count], D[Begin : Count])                            \
    map(from : E[Begin : Count])
  {
    add(Device, A, B, C, Begin, Count);
#pragma omp target update from(C[Begin : Count]) device(Device)
    for (int I = Begin; I < Begin + Count; ++I)
      D[I] = C[I] + A[I];
#pragma omp target update to(D[Begin : Count]) device(Device)
    add(Device, D, C, E, Begin, Count);
  }
}

int main(int Argc, char **Argv) {
  int N = demoSize(Argc, Argv, 1, 4000003);
  int Devices = demoDevices();
  int *A = demoAlloc(N, sizeof(int)), *B = demoAlloc(N, sizeof(int));
  int *C = demoAlloc(N, sizeof(int)), *D = demoAlloc(N, sizeof(int));
  int *E = demoAlloc(N, sizeof(int)), *Expected = demoAlloc(N, sizeof(int));
  for (int I = 0; I < N; ++I) {
    A[I] = I % 1009;
    B[I] = I % 613 - 300;
    Expected[I] = 3 * A[I] + 2 * B[I];
  }

  double Times[DemoRepeats];
  int Good = 1;
  for (int R = 0; R < DemoRepeats; ++R) {
    for (int I = 0; I < N; ++I)
      C[I] = D[I] = E[I] = -1;
    double Begin = omp_get_wtime();
    for (int Part = 0; Part < Devices; ++Part) {
      int First = demoShare(N, Part, Devices);
      int Count = demoShare(N, Part + 1, Devices) - First;
      if (Count)
        chain(Part, A, B, C, D, E, First, Count);
    }
    Times[R] = omp_get_wtime() - Begin;
    Good = Good && demoEqual(E, Expected, N);
  }

  double Ms = demoMedianMs(Times, DemoRepeats);
  char Size[32], Metric[64];
  snprintf(Size, sizeof(Size), "%d", N);
  /* Over the link: A, B and D to the device, C and E back. */
  snprintf(Metric, sizeof(Metric), "%.2f GB/s moved on %d device%s",
           5e-6 * sizeof(int) * N / Ms, Devices, Devices == 1 ? "" : "s");
  free(A), free(B), free(C), free(D), free(E), free(Expected);
  return demoReport("vecadd", Size, Ms, Metric, Good);
}
