/*===- checkpoint.c - A time loop that is written to a file as it runs ----===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Heat on a plate. Every `each` steps a kernel copies the plate aside, on the
|* device, and the copy goes to the file while later steps run:
|*
|*     queue Steps   s s s s C s s s s C s s s s C     C copies to Aside[i]
|*     queue Disk              write Aside[0] | write Aside[1] | ...
|*
|* C waits for the write of two checkpoints before, nothing else waits. The file
|* has two places that take turns, each with a head that is written behind its
|* data: a program that dies leaves at least one whole checkpoint. A second run
|* goes on from the newest, and has to end with the same numbers as a run in one
|* piece.
|*
|* Usage: checkpoint [columns [rows [steps [each [file]]]]]
|*
\*===----------------------------------------------------------------------===*/

#include "../openacc/demo_acc.h"
#include "events.h"

enum { Steps = 1, Disk };

typedef struct {
  long Step;     /**< What the data is after, */
  long Negative; /**< and -Step: a head that is whole. */
} Head;

typedef struct {
  int Pitch, Rows;
  size_t Cells;
  int Each, File;
} Plate;

static off_t placeOf(const Plate *P, int Slot) {
  return (off_t)Slot * (off_t)(P->Cells * sizeof(float) + sizeof(Head));
}

static void step(const Plate *P, const float *In, float *Out) {
  const int Pitch = P->Pitch, Rows = P->Rows;
  const size_t Cells = P->Cells;
#pragma acc parallel loop collapse(2) present(In[0 : Cells], Out[0 : Cells])   \
    async(Steps)
  for (int I = 1; I <= Rows; ++I)
    for (int J = 1; J < Pitch - 1; ++J) {
      const size_t At = (size_t)I * Pitch + J;
      Out[At] = In[At] + 0.2f * (In[At - 1] + In[At + 1] + In[At - Pitch] +
                                 In[At + Pitch] - 4 * In[At]);
    }
}

static void copy(const Plate *P, const float *From, float *To) {
  const size_t Cells = P->Cells;
#pragma acc parallel loop present(From[0 : Cells], To[0 : Cells]) async(Steps)
  for (size_t I = 0; I < Cells; ++I)
    To[I] = From[I];
}

/* Steps From + 1 to To, from what T[From % 2] has on the device. */
static void run(const Plate *P, float *T[2], float *Aside[2], long From,
                long To) {
  accx_event_t Written[2] = {0}, Copied = NULL;
  /* Each head stays until it is written. */
  Head *Heads = (Head *)demoAlloc((size_t)(To / P->Each + 1), sizeof(Head));
  int Slot = From / P->Each % 2;
  for (long S = From + 1; S <= To; ++S) {
    step(P, T[(S - 1) % 2], T[S % 2]);
    if (S % P->Each || P->File < 0)
      continue;
    Slot = !Slot;
    if (Written[Slot])
      MUST(accx_queue_wait(Steps, 1, &Written[Slot]));
    copy(P, T[S % 2], Aside[Slot]);
    MUST(accx_event_of_queue(Steps, eventsNew(&Copied)));
    Head *New = &Heads[S / P->Each];
    *New = (Head){S, -S};
    const size_t Bytes = P->Cells * sizeof(float);
    const off_t At = placeOf(P, Slot);
    MUST(accx_write(Disk, Aside[Slot], P->File, At + (off_t)sizeof(Head), Bytes,
                    1, &Copied, NULL));
    MUST(accx_write(Disk, New, P->File, At, sizeof(Head), 0, NULL,
                    eventsNew(&Written[Slot])));
  }
  accx_event_release(Copied);
  for (int I = 0; I < 2; ++I)
    if (Written[I])
      eventsEnd(Written[I]);
#pragma acc wait(Steps)
  free(Heads);
}

/* Reads the newest checkpoint to the device; returns its step, 0 if there is
   none. */
static long restart(const Plate *P, float *T[2]) {
  long Newest = 0;
  int Slot = 0;
  for (int I = 0; I < 2; ++I) {
    Head H = {0, 0};
    if (pread(P->File, &H, sizeof(H), placeOf(P, I)) == (ssize_t)sizeof(H) &&
        H.Negative == -H.Step && H.Step > Newest)
      Newest = H.Step, Slot = I;
  }
  if (Newest > 0)
    MUST(accx_read(acc_async_sync, T[Newest % 2], P->File,
                   placeOf(P, Slot) + (off_t)sizeof(Head),
                   P->Cells * sizeof(float), 0, NULL, NULL));
  return Newest;
}

int main(int Argc, char **Argv) {
  const int Columns = demoSize(Argc, Argv, 1, 500);
  Plate P = {.Pitch = Columns + 2, .Rows = demoSize(Argc, Argv, 2, 300)};
  const int All = demoSize(Argc, Argv, 3, 100);
  P.Each = demoSize(Argc, Argv, 4, 10);
  const char *Path = Argc > 5 ? Argv[5] : "checkpoint.data";
  P.Cells = (size_t)(P.Rows + 2) * (size_t)P.Pitch;
  const size_t Cells = P.Cells;
  demoDevices();
  float *Memory[4], *Expected = (float *)demoAlloc(Cells, sizeof(float));
  for (int I = 0; I < 4; ++I)
    Memory[I] = (float *)demoAlloc(Cells, sizeof(float));
  float *T[2] = {Memory[0], Memory[1]}, *Aside[2] = {Memory[2], Memory[3]};
  float *A = T[0], *B = T[1], *C = Aside[0], *D = Aside[1];
  for (size_t I = 0; I < Cells; ++I)
    A[I] = B[I] = 100 * demoValue(I);
  float *Begin = (float *)demoAlloc(Cells, sizeof(float));
  memcpy(Begin, A, Cells * sizeof(float));
#pragma acc enter data copyin(A[0 : Cells], B[0 : Cells])                      \
    create(C[0 : Cells], D[0 : Cells])

  /* In one piece, without a file. */
  P.File = -1;
  const double Start = demoNow();
  run(&P, T, Aside, 0, All);
  const double Plain = demoNow() - Start;
  float *Last = T[All % 2];
#pragma acc update self(Last[0 : Cells])
  memcpy(Expected, Last, Cells * sizeof(float));

  /* Two thirds with checkpoints, then the program forgets everything. */
  P.File = eventsOpen(Path, O_RDWR | O_CREAT | O_TRUNC);
  memcpy(A, Begin, Cells * sizeof(float));
#pragma acc update device(A[0 : Cells], B[0 : Cells])
  const double Again = demoNow();
  run(&P, T, Aside, 0, All * 2 / 3);
  const double Part = demoNow() - Again;
  /* Of both arrays the border alone counts: the rest comes from the file. */
#pragma acc update device(A[0 : Cells], B[0 : Cells])
  const long From = restart(&P, T);
  run(&P, T, Aside, From, All);
#pragma acc update self(Last[0 : Cells])
  int Good = From == All * 2 / 3 / P.Each * P.Each;
  Good = Good && memcmp(Last, Expected, Cells * sizeof(float)) == 0;
#pragma acc exit data delete (A[0 : Cells], B[0 : Cells], C[0 : Cells],        \
                              D[0 : Cells])
  close(P.File);
  unlink(Path);
  char Size[64], Metric[96];
  snprintf(Size, sizeof(Size), "%dx%dx%d", Columns, P.Rows, All);
  snprintf(Metric, sizeof(Metric), "%s; a step %.3f ms and %.3f with files",
           demoPlace(1), 1e3 * Plain / All, 1e3 * Part / (All * 2 / 3));
  for (int I = 0; I < 4; ++I)
    free(Memory[I]);
  free(Expected);
  free(Begin);
  return demoReport("checkpoint", Size, 1e3 * Plain, Metric, Good);
}
