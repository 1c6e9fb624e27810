/*===- outofcore-omp.c - The product of outofcore.c in OpenMP -------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The same files, panels and queues as in outofcore.c. accx_next_target puts a
|* target construct onto a queue, after events, and gives its end as one.
|*
|* Usage: outofcore-omp [n [rows of a panel [folder]]]
|*
\*===----------------------------------------------------------------------===*/

#include "../demo/demo.h"
#include "outofcore.h"

enum { Load = 1, Compute, Store };

static void multiply(const Product *P) {
  const int N = P->N, Device = omp_get_default_device();
  const size_t Panel = (size_t)P->Rows * (size_t)N * sizeof(float);
  float *A[2], *B[2], *C[2];
  for (int S = 0; S < 2; ++S) {
    A[S] = (float *)omp_target_alloc(Panel, Device);
    B[S] = (float *)omp_target_alloc(Panel, Device);
    C[S] = (float *)omp_target_alloc(Panel, Device);
  }
  accx_event_t UsedA[2] = {0}, UsedB[2] = {0}, Stored[2] = {0}, Loaded = NULL;
  int Step = 0;
  for (int I = 0; I < P->Panels; ++I) {
    const int Rows = outofcoreRows(P, I), SA = I % 2;
    const size_t Bytes = (size_t)Rows * (size_t)N * sizeof(float);
    const off_t At = (off_t)I * (off_t)Panel;
    const float *Ai = A[SA];
    float *Ci = C[SA];
    MUST(accx_read(Load, A[SA], P->A, At, Bytes, UsedA[SA] != NULL, &UsedA[SA],
                   NULL));
    MUST(accx_next_target(Compute, Stored[SA] != NULL, &Stored[SA], NULL));
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(Ci)
    for (int R = 0; R < Rows; ++R)
      for (int J = 0; J < N; ++J)
        Ci[(size_t)R * N + J] = 0;
    for (int K = 0; K < P->Panels; ++K, ++Step) {
      const int Depth = outofcoreRows(P, K), First = K * P->Rows, SB = Step % 2;
      const float *Bk = B[SB];
      MUST(accx_read(Load, B[SB], P->B, (off_t)K * (off_t)Panel,
                     (size_t)Depth * (size_t)N * sizeof(float),
                     UsedB[SB] != NULL, &UsedB[SB], eventsNew(&Loaded)));
      MUST(accx_next_target(Compute, 1, &Loaded, eventsNew(&UsedB[SB])));
#pragma omp target teams distribute parallel for collapse(2)                   \
    is_device_ptr(Ai, Bk, Ci)
      for (int R = 0; R < Rows; ++R)
        for (int J = 0; J < N; ++J) {
          float Sum = 0;
          for (int D = 0; D < Depth; ++D)
            Sum += Ai[(size_t)R * N + First + D] * Bk[(size_t)D * N + J];
          Ci[(size_t)R * N + J] += Sum;
        }
    }
    MUST(accx_event_of_queue(Compute, eventsNew(&UsedA[SA])));
    MUST(accx_write(Store, Ci, P->C, At, Bytes, 1, &UsedA[SA],
                    eventsNew(&Stored[SA])));
  }
  accx_event_release(Loaded);
  for (int S = 0; S < 2; ++S)
    if (Stored[S])
      eventsEnd(Stored[S]);
  for (int S = 0; S < 2; ++S) {
    accx_event_release(UsedA[S]);
    accx_event_release(UsedB[S]);
    omp_target_free(A[S], Device);
    omp_target_free(B[S], Device);
    omp_target_free(C[S], Device);
  }
}

int main(int Argc, char **Argv) {
  const int N = demoSize(Argc, Argv, 1, 500);
  const int Rows = demoSize(Argc, Argv, 2, 96);
  demoDevices();
  Product P;
  outofcoreBegin(&P, N, Rows, Argc > 3 ? Argv[3] : ".");
  double Times[DemoRepeats];
  for (int R = 0; R < DemoRepeats; ++R) {
    const double Begin = omp_get_wtime();
    multiply(&P);
    Times[R] = omp_get_wtime() - Begin;
  }
  char Size[64];
  snprintf(Size, sizeof(Size), "%d in %d", N, P.Panels);
  return demoReport("outofcore-omp", Size, demoMedianMs(Times, DemoRepeats),
                    "1 device", outofcoreEnd(&P));
}
