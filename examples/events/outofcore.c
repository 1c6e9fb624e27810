/*===- outofcore.c - A product of matrices that are in files --------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* C = A B, panel by panel; a panel is some rows of a matrix, which are in one
|* piece in its file. The device has two panels of each matrix:
|*
|*     queue Load      A0 B0 | B1 | B2 | ...        to the panel used before
|*     queue Compute         | C0 += A00 B0 | C0 += A01 B1 | ...
|*     queue Store                                   | C0 | ...
|*
|* The host queues everything and waits once. A panel is read as soon as the
|* kernel that used its memory has ended, while the other one is computed with.
|*
|* Usage: outofcore [n [rows of a panel [folder]]]
|*
\*===----------------------------------------------------------------------===*/

#include "../openacc/demo_acc.h"
#include "outofcore.h"

enum { Load = 1, Compute, Store };

static void multiply(const Product *P) {
  const int N = P->N;
  const size_t Panel = (size_t)P->Rows * (size_t)N * sizeof(float);
  float *A[2], *B[2], *C[2];
  for (int S = 0; S < 2; ++S) {
    A[S] = (float *)acc_malloc(Panel);
    B[S] = (float *)acc_malloc(Panel);
    C[S] = (float *)acc_malloc(Panel);
  }
  /* Last kernel that used the panel of A or B; last write of that of C. */
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
    if (Stored[SA])
      MUST(accx_queue_wait(Compute, 1, &Stored[SA]));
#pragma acc parallel loop collapse(2) deviceptr(Ci) async(Compute)
    for (int R = 0; R < Rows; ++R)
      for (int J = 0; J < N; ++J)
        Ci[(size_t)R * N + J] = 0;
    for (int K = 0; K < P->Panels; ++K, ++Step) {
      const int Depth = outofcoreRows(P, K), First = K * P->Rows, SB = Step % 2;
      const float *Bk = B[SB];
      /* Also the end of the panel of A, which the queue reads before. */
      MUST(accx_read(Load, B[SB], P->B, (off_t)K * (off_t)Panel,
                     (size_t)Depth * (size_t)N * sizeof(float),
                     UsedB[SB] != NULL, &UsedB[SB], eventsNew(&Loaded)));
      MUST(accx_queue_wait(Compute, 1, &Loaded));
#pragma acc parallel loop collapse(2) deviceptr(Ai, Bk, Ci) async(Compute)
      for (int R = 0; R < Rows; ++R)
        for (int J = 0; J < N; ++J) {
          float Sum = 0;
          for (int D = 0; D < Depth; ++D)
            Sum += Ai[(size_t)R * N + First + D] * Bk[(size_t)D * N + J];
          Ci[(size_t)R * N + J] += Sum;
        }
      MUST(accx_event_of_queue(Compute, eventsNew(&UsedB[SB])));
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
    acc_free(A[S]);
    acc_free(B[S]);
    acc_free(C[S]);
  }
}

int main(int Argc, char **Argv) {
  const int N = demoSize(Argc, Argv, 1, 500);
  const int Rows = demoSize(Argc, Argv, 2, 96);
  demoDevices(); /* Ends where regions run on the host after all. */
  Product P;
  outofcoreBegin(&P, N, Rows, Argc > 3 ? Argv[3] : ".");
  double Times[DemoRepeats];
  for (int R = 0; R < DemoRepeats; ++R) {
    const double Begin = demoNow();
    multiply(&P);
    Times[R] = demoNow() - Begin;
  }
  char Size[64];
  snprintf(Size, sizeof(Size), "%d in %d", N, P.Panels);
  return demoReport("outofcore", Size, demoMedianMs(Times, DemoRepeats),
                    demoPlace(1), outofcoreEnd(&P));
}
