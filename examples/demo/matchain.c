/*===- matchain.c - Matrix products alternating between device and host ---===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The data-directory paper's second small benchmark. Three products of integer
|* matrices, each of which needs the one before it:
|*
|*   devices  C = A * B   ->  host  D = C * A   ->  devices  E = D * C
|*
|* Each device owns a band of rows of C, D and E. The last product needs all of
|* C on every device: the rows that the others computed go there by an update.
|* Usage: matchain [n]
|*
\*===----------------------------------------------------------------------===*/

#include "demo.h"

#include <string.h>

static void onDevice(int Device, int N, const int *X, const int *Y,
                     int *Product, int First, int Rows) {
  size_t Begin = (size_t)First * N, Count = (size_t)Rows * N;
#pragma omp target teams distribute parallel for collapse(2) device(Device)    \
    map(to : X[Begin : Count], Y[0 : (size_t)N * N])                           \
    map(from : Product[Begin : Count])
  for (int I = First; I < First + Rows; ++I)
    for (int J = 0; J < N; ++J) {
      int Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += X[(size_t)I * N + K] * Y[(size_t)K * N + J];
      Product[(size_t)I * N + J] = Sum;
    }
}

static void onHost(int N, const int *X, const int *Y, int *Product) {
  memset(Product, 0, sizeof(int) * N * N);
  for (int I = 0; I < N; ++I)
    for (int K = 0; K < N; ++K)
      for (int J = 0; J < N; ++J)
        Product[(size_t)I * N + J] +=
            X[(size_t)I * N + K] * Y[(size_t)K * N + J];
}

static void chain(int N, int Devices, const int *A, const int *B, int *C,
                  int *D, int *E) {
  size_t All = (size_t)N * N;
  for (int Part = 0; Part < Devices; ++Part) {
    int First = demoShare(N, Part, Devices);
    int Rows = demoShare(N, Part + 1, Devices) - First;
    size_t Begin = (size_t)First * N, Count = (size_t)Rows * N;
    if (Rows == 0)
      continue;
#pragma omp target enter data device(Part)                                     \
    map(to : A[Begin : Count], B[0 : All])                                     \
    map(alloc : C[0 : All], D[Begin : Count], E[Begin : Count])
    onDevice(Part, N, A, B, C, First, Rows);
#pragma omp target update from(C[Begin : Count]) device(Part)
  }
  onHost(N, C, A, D);
  for (int Part = 0; Part < Devices; ++Part) {
    int First = demoShare(N, Part, Devices);
    int Rows = demoShare(N, Part + 1, Devices) - First;
    size_t Begin = (size_t)First * N, Count = (size_t)Rows * N;
    size_t After = Begin + Count;
    if (Rows == 0)
      continue;
    if (Begin) {
#pragma omp target update to(C[0 : Begin]) device(Part)
    }
    if (After < All) {
#pragma omp target update to(C[After : All - After]) device(Part)
    }
#pragma omp target update to(D[Begin : Count]) device(Part)
    onDevice(Part, N, D, C, E, First, Rows);
#pragma omp target exit data device(Part)                                      \
    map(release : A[Begin : Count], B[0 : All], C[0 : All], D[Begin : Count])  \
    map(from : E[Begin : Count])
  }
}

int main(int Argc, char **Argv) {
  int N = demoSize(Argc, Argv, 1, 255);
  int Devices = demoDevices();
  size_t Cells = (size_t)N * N;
  int *A = demoAlloc(Cells, sizeof(int)), *B = demoAlloc(Cells, sizeof(int));
  int *C = demoAlloc(Cells, sizeof(int)), *D = demoAlloc(Cells, sizeof(int));
  int *E = demoAlloc(Cells, sizeof(int));
  int *Expected = demoAlloc(Cells, sizeof(int));
  /* Entries of -1, 0 and 1: no product overflows. */
  for (size_t I = 0; I < Cells; ++I) {
    A[I] = (int)(3 * demoValue(I)) - 1;
    B[I] = (int)(3 * demoValue(I + Cells)) - 1;
  }
  onHost(N, A, B, C);
  onHost(N, C, A, D);
  onHost(N, D, C, Expected);

  double Times[DemoRepeats];
  int Good = 1;
  for (int R = 0; R < DemoRepeats; ++R) {
    for (size_t I = 0; I < Cells; ++I)
      C[I] = D[I] = E[I] = -1;
    double Begin = omp_get_wtime();
    chain(N, Devices, A, B, C, D, E);
    Times[R] = omp_get_wtime() - Begin;
    Good = Good && demoEqual(E, Expected, Cells);
  }

  double Ms = demoMedianMs(Times, DemoRepeats);
  char Size[32], Metric[64];
  snprintf(Size, sizeof(Size), "%d", N);
  snprintf(Metric, sizeof(Metric), "%.2f Gop/s on %d device%s",
           6e-6 * N * N * N / Ms, Devices, Devices == 1 ? "" : "s");
  free(A), free(B), free(C), free(D), free(E), free(Expected);
  return demoReport("matchain", Size, Ms, Metric, Good);
}
