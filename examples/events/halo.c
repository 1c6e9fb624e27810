/*===- halo.c - Halos between ranks, queued with the kernels --------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Heat on a plate that is cut into blocks of rows, one a rank. Each step:
|*
|*     queue Steps   edges | inner rows .............. | edges | inner ...
|*     queue Up            | first row <-> rank before |
|*     queue Down          | last row <-> rank behind  |
|*
|* The exchange of a step waits for the kernel of the two rows at the edges, the
|* next kernel at the edges for the exchange; the inner rows are computed
|* meanwhile. The host queues all steps and waits once.
|*
|* Usage: mpirun -n RANKS halo [columns [rows [steps]]]
|*
\*===----------------------------------------------------------------------===*/

#include "../openacc/demo_acc.h"
#include "events.h"

#include <accx/mpi.h>

enum { Steps = 1, Up, Down };
enum { ToUp, ToDown };

static const float Speed = 0.2f;

#pragma acc routine seq
static float relaxed(const float *In, size_t I, int Pitch) {
  return In[I] + Speed * (In[I - 1] + In[I + 1] + In[I - Pitch] +
                          In[I + Pitch] - 4 * In[I]);
}

/* Rows 1 to Rows are the rank's; rows 0 and Rows + 1 the neighbours'. */
static void run(float *T[2], int Rows, int Pitch, int Count, int Before,
                int Behind) {
  const size_t Cells = (size_t)(Rows + 2) * Pitch;
  const size_t Row = (size_t)Pitch * sizeof(float);
  accx_event_t Edges = NULL, Halo[2] = {NULL, NULL};
  for (int S = 0; S < Count; ++S) {
    const float *In = T[S % 2];
    float *Out = T[(S + 1) % 2];
    if (S > 0)
      MUST(accx_queue_wait(Steps, 2, Halo));
#pragma acc parallel loop present(In[0 : Cells], Out[0 : Cells]) async(Steps)
    for (int J = 1; J < Pitch - 1; ++J) {
      const size_t First = (size_t)Pitch + J, Last = (size_t)Rows * Pitch + J;
      Out[First] = relaxed(In, First, Pitch);
      Out[Last] = relaxed(In, Last, Pitch);
    }
    MUST(accx_event_of_queue(Steps, eventsNew(&Edges)));
    MUST(accx_sendrecv(Up, Out + Pitch, Row, Before, ToUp, Out, Row, Before,
                       ToDown, MPI_COMM_WORLD, 1, &Edges, eventsNew(&Halo[0])));
    MUST(accx_sendrecv(Down, Out + (size_t)Rows * Pitch, Row, Behind, ToDown,
                       Out + (size_t)(Rows + 1) * Pitch, Row, Behind, ToUp,
                       MPI_COMM_WORLD, 1, &Edges, eventsNew(&Halo[1])));
#pragma acc parallel loop collapse(2) present(In[0 : Cells], Out[0 : Cells])   \
    async(Steps)
    for (int I = 2; I < Rows; ++I)
      for (int J = 1; J < Pitch - 1; ++J)
        Out[(size_t)I * Pitch + J] = relaxed(In, (size_t)I * Pitch + J, Pitch);
  }
  accx_event_release(Edges);
  eventsEnd(Halo[0]);
  eventsEnd(Halo[1]);
#pragma acc wait(Steps)
}

static const float *onHost(float *T[2], int Rows, int Pitch, int Count) {
  for (int S = 0; S < Count; ++S)
    for (int I = 1; I <= Rows; ++I)
      for (int J = 1; J < Pitch - 1; ++J)
        T[(S + 1) % 2][(size_t)I * Pitch + J] =
            relaxed(T[S % 2], (size_t)I * Pitch + J, Pitch);
  return T[Count % 2];
}

int main(int Argc, char **Argv) {
  int Threads, Rank, Ranks;
  MPI_Init_thread(&Argc, &Argv, MPI_THREAD_MULTIPLE, &Threads);
  MPI_Comm_rank(MPI_COMM_WORLD, &Rank);
  MPI_Comm_size(MPI_COMM_WORLD, &Ranks);
  const int Pitch = demoSize(Argc, Argv, 1, 510) + 2;
  const int All = demoSize(Argc, Argv, 2, 400);
  const int Count = demoSize(Argc, Argv, 3, 50);
  if (All < 2 * Ranks) {
    fprintf(stderr, "halo: a rank needs two rows\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  acc_set_device_num(Rank % demoDevices(), acc_get_device_type());

  const int First = demoShare(All, Rank, Ranks);
  const int Rows = demoShare(All, Rank + 1, Ranks) - First;
  const size_t Cells = (size_t)(Rows + 2) * Pitch;
  float *A = (float *)demoAlloc(Cells, sizeof(float));
  float *B = (float *)demoAlloc(Cells, sizeof(float));
  float *T[2] = {A, B};
  double Times[DemoRepeats];
#pragma acc enter data create(A[0 : Cells], B[0 : Cells])
  for (int R = 0; R < DemoRepeats; ++R) {
    for (size_t I = 0; I < Cells; ++I)
      A[I] = B[I] = 100 * demoValue((size_t)First * Pitch + I);
#pragma acc update device(A[0 : Cells], B[0 : Cells])
    MPI_Barrier(MPI_COMM_WORLD);
    const double Begin = demoNow();
    run(T, Rows, Pitch, Count, Rank > 0 ? Rank - 1 : MPI_PROC_NULL,
        Rank < Ranks - 1 ? Rank + 1 : MPI_PROC_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    Times[R] = demoNow() - Begin;
  }

  /* From all devices to the memory of rank 0, behind its first row. */
  const size_t Whole = (size_t)(All + 2) * Pitch;
  float *Got = NULL;
  size_t *Sizes = (size_t *)demoAlloc(2 * (size_t)Ranks, sizeof(size_t));
  size_t *At = Sizes + Ranks;
  for (int R = 0; R < Ranks; ++R) {
    At[R] = (size_t)(demoShare(All, R, Ranks) + 1) * Pitch * sizeof(float);
    Sizes[R] =
        (size_t)(demoShare(All, R + 1, Ranks) + 1) * Pitch * sizeof(float) -
        At[R];
  }
  if (Rank == 0)
    Got = (float *)demoAlloc(Whole, sizeof(float));
  accx_event_t Gathered;
  MUST(accx_gatherv(Steps, T[Count % 2] + Pitch,
                    (size_t)Rows * Pitch * sizeof(float), Got, Sizes, At, 0,
                    MPI_COMM_WORLD, 0, NULL, &Gathered));
  eventsEnd(Gathered);
#pragma acc exit data delete (A[0 : Cells], B[0 : Cells])

  int Good = 1;
  if (Rank == 0) {
    float *H[2] = {(float *)demoAlloc(Whole, sizeof(float)),
                   (float *)demoAlloc(Whole, sizeof(float))};
    for (size_t I = 0; I < Whole; ++I)
      H[0][I] = H[1][I] = 100 * demoValue(I);
    const float *Expected = onHost(H, All, Pitch, Count);
    Good = demoClose(Got + Pitch, Expected + Pitch, (size_t)All * Pitch, 1e-4);
    char Size[64], Metric[32];
    snprintf(Size, sizeof(Size), "%dx%dx%d", Pitch - 2, All, Count);
    snprintf(Metric, sizeof(Metric), "%d ranks", Ranks);
    demoReport("halo", Size, demoMedianMs(Times, DemoRepeats), Metric, Good);
    free(H[0]);
    free(H[1]);
    free(Got);
  }
  free(Sizes);
  free(A);
  free(B);
  MPI_Finalize();
  return !Good;
}
