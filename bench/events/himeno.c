/*===- himeno.c - The Himeno benchmark in the paper's three forms ---------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*     serial   kernel, copy, message and copy one after the other (listing 1)
|*     hand     the halves A and B in two queues, messages of the host
|*              meanwhile, and waits of the host in between (listing 2)
|*     events   the same with messages as events (listing 4), where the host
|*              waits at the end of the program's steps alone
|*
|* Ranks with even numbers begin with A, the others with B: first the planes at
|* the cut between ranks 2n and 2n+1 go over, of the old pressure, then those
|* between 2n+1 and 2n+2, of the new one.
|*
|* Usage: mpirun -n RANKS himeno [S|M|L|IxJxK [steps [repeats [form]]]]
|*
\*===----------------------------------------------------------------------===*/

#include "himeno.h"

#include <accx/mpi.h>
#include <openacc.h>

/** Queues of the halves. */
enum { Upper = 1, Lower = 2 };

/** From up to To of New, without To. */
static void jacobi(const Domain *D, const Fields *F, const float *Old,
                   float *New, int From, int To, int Queue) {
  const float *A = F->A, *B = F->B, *C = F->C, *Bnd = F->Bnd, *Wrk1 = F->Wrk1;
  const size_t Cells = D->Cells, Plane = D->Plane;
  const int J1 = D->J - 1, K1 = D->K - 1, Row = D->K;
#pragma acc parallel loop gang collapse(2) vector_length(256) async(Queue)     \
    present(Old[0 : Cells], New[0 : Cells], A[0 : 4 * Cells],                  \
            B[0 : 3 * Cells], C[0 : 3 * Cells], Bnd[0 : Cells],                \
            Wrk1[0 : Cells])
  for (int I = From; I < To; ++I)
    for (int J = 1; J < J1; ++J) {
#pragma acc loop vector
      for (int K = 1; K < K1; ++K) {
        const size_t X = (size_t)I * Plane + (size_t)J * Row + K;
        New[X] = Old[X] + HimenoOmega * himenoResidual(Old, A, B, C, Bnd, Wrk1,
                                                       Cells, X, Plane, Row);
      }
    }
}

/** The host exchanges plane Own for plane Halo, by way of its own memory. */
static void exchange(const Domain *D, float *P, int Own, int Halo, int Other,
                     int Tag, int Queue) {
  const size_t Plane = D->Plane, From = (size_t)Own * Plane,
               To = (size_t)Halo * Plane;
  const int Count = (int)Plane;
  if (Other == MPI_PROC_NULL)
    return;
#pragma acc update self(P[From : Plane]) async(Queue)
  acc_wait(Queue);
  MPI_Sendrecv(P + From, Count, MPI_FLOAT, Other, Tag, P + To, Count, MPI_FLOAT,
               Other, Tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma acc update device(P[To : Plane]) async(Queue)
}

static void serial(const Domain *D, const Fields *F, int Steps) {
  for (int S = 0; S < Steps; ++S) {
    float *New = F->P[(S + 1) % 2];
    jacobi(D, F, F->P[S % 2], New, 1, D->Planes + 1, Upper);
    acc_wait(Upper);
    const int First = D->Rank % 2 ? 0 : 1;
    for (int E = 0; E < 2; ++E)
      if (E == First)
        exchange(D, New, 1, 0, D->Before, 0, Upper);
      else
        exchange(D, New, D->Planes, D->Planes + 1, D->Behind, 0, Upper);
    acc_wait(Upper);
  }
}

static void hand(const Domain *D, const Fields *F, int Steps) {
  const int N = D->Planes, H = D->Half;
  for (int S = 0; S < Steps; ++S) {
    float *Old = F->P[S % 2], *New = F->P[(S + 1) % 2];
    if (D->Rank % 2 == 0) {
      jacobi(D, F, Old, New, 1, H + 1, Upper);
      exchange(D, Old, N, N + 1, D->Behind, 0, Lower);
      jacobi(D, F, Old, New, H + 1, N + 1, Lower);
      exchange(D, New, 1, 0, D->Before, 1, Upper);
    } else {
      jacobi(D, F, Old, New, H + 1, N + 1, Lower);
      exchange(D, Old, 1, 0, D->Before, 0, Upper);
      jacobi(D, F, Old, New, 1, H + 1, Upper);
      exchange(D, New, N, N + 1, D->Behind, 1, Lower);
    }
    acc_wait(Upper);
    acc_wait(Lower);
  }
}

/** The planes as an operation of the queue. */
static void exchangeEvent(const Domain *D, float *P, int Own, int Halo,
                          int Other, int Tag, int Queue, accx_event_t Wait) {
  const size_t Bytes = D->Plane * sizeof(float);
  if (Other != MPI_PROC_NULL)
    MUST(accx_sendrecv(Queue, P + (size_t)Own * D->Plane, Bytes, Other, Tag,
                       P + (size_t)Halo * D->Plane, Bytes, Other, Tag,
                       MPI_COMM_WORLD, Wait != NULL, &Wait, NULL));
}

/** The end of what is on the queue, in the place of an earlier event. */
static void mark(int Queue, accx_event_t *Event) {
  accx_event_release(*Event);
  MUST(accx_event_of_queue(Queue, Event));
}

static void events(const Domain *D, const Fields *F, int Steps) {
  const int N = D->Planes, H = D->Half, Even = D->Rank % 2 == 0;
  /* The half that is computed first, and the one that the exchange of the old
     pressure comes before. */
  const int One = Even ? Upper : Lower, Two = Even ? Lower : Upper;
  accx_event_t First = NULL, Second = NULL;
  for (int S = 0; S < Steps; ++S) {
    float *Old = F->P[S % 2], *New = F->P[(S + 1) % 2];
    /* Each half reads a plane of the other one's last step, which reads a plane
       of what this step writes. */
    if (Second)
      MUST(accx_queue_wait(One, 1, &Second));
    if (Even)
      jacobi(D, F, Old, New, 1, H + 1, One);
    else
      jacobi(D, F, Old, New, H + 1, N + 1, One);
    /* The other half needs that step before this one. */
    accx_event_t Before = First;
    First = NULL;
    mark(One, &First);
    if (Even)
      exchangeEvent(D, Old, N, N + 1, D->Behind, 0, Two, NULL);
    else
      exchangeEvent(D, Old, 1, 0, D->Before, 0, Two, NULL);
    if (Before)
      MUST(accx_queue_wait(Two, 1, &Before));
    accx_event_release(Before);
    if (Even)
      jacobi(D, F, Old, New, H + 1, N + 1, Two);
    else
      jacobi(D, F, Old, New, 1, H + 1, Two);
    mark(Two, &Second);
    if (Even)
      exchangeEvent(D, New, 1, 0, D->Before, 1, One, NULL);
    else
      exchangeEvent(D, New, N, N + 1, D->Behind, 1, One, NULL);
  }
  accx_event_release(First);
  accx_event_release(Second);
  acc_wait(Upper);
  acc_wait(Lower);
}

static const struct {
  const char *Name;
  void (*Run)(const Domain *D, const Fields *F, int Steps);
} Forms[] = {
    {"accx-serial", serial}, {"accx-hand", hand}, {"accx-events", events}};

int main(int Argc, char **Argv) {
  int Threads, Rank, Ranks;
  MPI_Init_thread(&Argc, &Argv, MPI_THREAD_MULTIPLE, &Threads);
  MPI_Comm_rank(MPI_COMM_WORLD, &Rank);
  MPI_Comm_size(MPI_COMM_WORLD, &Ranks);
  const char *Size = Argc > 1 ? Argv[1] : "34x20x20";
  const int Steps = (int)measureArgument(Argc, Argv, 2, 8);
  const int Repeats = (int)measureArgument(Argc, Argv, 3, 3);
  if (Repeats < 1 || Repeats > HimenoMaxRepeats || Steps < 1)
    return 2;
  acc_set_device_num(Rank % acc_get_num_devices(acc_get_device_type()),
                     acc_get_device_type());
  const Domain D = himenoDomain(Size, Rank, Ranks);
  Fields F;
  himenoAllocate(&D, &F);
  const size_t Cells = D.Cells;
  float *P = F.P[0], *Q = F.P[1], *A = F.A, *B = F.B, *C = F.C, *Bnd = F.Bnd,
        *Wrk1 = F.Wrk1;
  float *Begin = (float *)measureAlloc(Cells * sizeof(float));
  float *First = (float *)measureAlloc(Cells * sizeof(float));
  memcpy(Begin, P, Cells * sizeof(float));
#pragma acc enter data copyin(P[0 : Cells], Q[0 : Cells], A[0 : 4 * Cells],    \
                              B[0 : 3 * Cells], C[0 : 3 * Cells],              \
                              Bnd[0 : Cells], Wrk1[0 : Cells])
  int Wrong = 0, HasFirst = 0;
  for (int N = 0; N < 3; ++N) {
    if (Argc > 4 && strcmp(Argv[4], Forms[N].Name) != 0)
      continue;
    double Ms[HimenoMaxRepeats];
    int Good = 1;
    /* Once a few steps, which are checked, then the runs that count, whose
       results are the first form's. */
    for (int R = -1; R < Repeats; ++R) {
      const int Count = R < 0 ? HimenoCheckSteps : Steps;
      memcpy(P, Begin, Cells * sizeof(float));
      memcpy(Q, Begin, Cells * sizeof(float));
#pragma acc update device(P[0 : Cells], Q[0 : Cells])
      MPI_Barrier(MPI_COMM_WORLD);
      const double Start = measureNow();
      Forms[N].Run(&D, &F, Count);
      MPI_Barrier(MPI_COMM_WORLD);
      const double Time = measureNow() - Start;
      float *Last = F.P[Count % 2];
#pragma acc update self(Last[0 : Cells])
      if (R < 0) {
        Good &= himenoRight(&D, Size, Last, Count);
        continue;
      }
      Ms[R] = Time;
      const size_t Mine = (size_t)D.Planes * D.Plane;
      if (!HasFirst)
        memcpy(First, Last, Cells * sizeof(float));
      HasFirst = 1;
      Good &=
          memcmp(First + D.Plane, Last + D.Plane, Mine * sizeof(float)) == 0;
    }
    Wrong |= himenoReport(&D, Forms[N].Name, Size, Ms, Repeats, Steps, Good);
  }
#pragma acc exit data delete (P[0 : Cells], Q[0 : Cells], A[0 : 4 * Cells],    \
                              B[0 : 3 * Cells], C[0 : 3 * Cells],              \
                              Bnd[0 : Cells], Wrk1[0 : Cells])
  free(Begin);
  free(First);
  himenoFree(&F);
  MPI_Finalize();
  return Wrong;
}
