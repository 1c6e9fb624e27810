/*===- powder.c - Coefficients for all ranks, step by step ----------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* What the nanopowder simulation of the paper's section 5.3.3 does each step,
|* with physics of our own: the host of rank 0 computes how often particles of
|* two sizes meet, 42 MB for 3,240 sizes; every rank needs all of that on its
|* device, where it computes how many particles of its share of the sizes come
|* and go.
|*
|*     recv-then-copy  MPI_Isend, MPI_Recv and a copy to the device
|*     accx            MPI_Isend with MPI_CL_MEM, accx_recv to the device, while
|*                     the step before computes
|*
|* Usage: mpirun -n RANKS powder [sizes [steps [repeats]]]
|*
\*===----------------------------------------------------------------------===*/

#include "measure.h"

#include <accx/mpi.h>
#include <openacc.h>

enum { MaxRepeats = 32, Receive = 1, Compute = 2 };

typedef struct {
  int Sizes, First, Last; /**< The rank's are First up to Last. */
  int Rank, Ranks, Steps;
  float *Meet[2]; /**< Sizes x Sizes, of this step and the next; present. */
  float *Count;   /**< Particles of each size; present. */
  float *Change;  /**< Of the rank's sizes, 0 for others; present. */
} Powder;

/* How often particles of sizes I and J meet in step Step; symmetric. */
static float meeting(int I, int J, int Step) {
  const float A = (float)(I + 1), B = (float)(J + 1);
  return (A + B) * (1.0f / A + 1.0f / B) *
         (1.0f + 0.001f * (float)((I * J + Step) % 7));
}

static void coefficients(const Powder *P, float *Meet, int Step) {
  for (int I = 0; I < P->Sizes; ++I)
    for (int J = 0; J < P->Sizes; ++J)
      Meet[(size_t)I * P->Sizes + J] = meeting(I, J, Step);
}

/* Two that meet become one; sizes of First up to Last, on the device. */
static void coagulate(const Powder *P, const float *Meet) {
  const float *Count = P->Count;
  float *Change = P->Change;
  const int N = P->Sizes, First = P->First, Last = P->Last;
#pragma acc parallel loop gang async(Compute)                                  \
    present(Meet[0 : (size_t)N * N], Count[0 : N], Change[0 : N])
  for (int K = First; K < Last; ++K) {
    float Gain = 0, Loss = 0;
#pragma acc loop vector reduction(+ : Gain, Loss)
    for (int I = 0; I < N; ++I) {
      if (I < K)
        Gain += Meet[(size_t)I * N + (K - 1 - I)] * Count[I] * Count[K - 1 - I];
      Loss += Meet[(size_t)K * N + I] * Count[I];
    }
    Change[K] = 0.5f * Gain - Count[K] * Loss;
  }
}

static void apply(const Powder *P) {
  float *Count = P->Count;
  const float *Change = P->Change;
  const int N = P->Sizes;
#pragma acc parallel loop async(Compute) present(Count[0 : N], Change[0 : N])
  for (int K = 0; K < N; ++K)
    Count[K] += 1e-7f * Change[K];
}

static void plain(const Powder *P) {
  const int N = P->Sizes, All = N * N;
  const int First = P->First, Mine = P->Last - P->First;
  MPI_Request *Requests =
      (MPI_Request *)measureAlloc((size_t)P->Ranks * sizeof(MPI_Request));
  float *Change = P->Change;
  for (int S = 0; S < P->Steps; ++S) {
    float *Meet = P->Meet[S % 2];
    if (P->Rank == 0) {
      coefficients(P, Meet, S);
      for (int R = 1; R < P->Ranks; ++R)
        MPI_Isend(Meet, All, MPI_FLOAT, R, 0, MPI_COMM_WORLD, &Requests[R]);
    } else {
      MPI_Recv(Meet, All, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
#pragma acc update device(Meet[0 : All])
    coagulate(P, Meet);
#pragma acc update self(Change[First : Mine]) async(Compute)
    acc_wait(Compute);
    MPI_Allreduce(MPI_IN_PLACE, Change, N, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
#pragma acc update device(Change[0 : N]) async(Compute)
    apply(P);
    acc_wait(Compute);
    memset(Change, 0, (size_t)N * sizeof(float));
    if (P->Rank == 0)
      MPI_Waitall(P->Ranks - 1, Requests + 1, MPI_STATUSES_IGNORE);
  }
  free(Requests);
}

/* Change has the rank's share; afterwards that of all is in Sum. */
static void withEvents(const Powder *P, float *Sum) {
  const int N = P->Sizes;
  const size_t Bytes = (size_t)N * (size_t)N * sizeof(float);
  MPI_Request *Requests =
      (MPI_Request *)measureAlloc((size_t)P->Ranks * 2 * sizeof(MPI_Request));
  for (int R = 0; R < 2 * P->Ranks; ++R)
    Requests[R] = MPI_REQUEST_NULL;
  accx_event_t Used[2] = {NULL, NULL}, Received = NULL;
  for (int S = 0; S < P->Steps; ++S) {
    float *Meet = P->Meet[S % 2];
    MPI_Request *Sends = Requests + S % 2 * P->Ranks;
    if (P->Rank == 0) {
      /* The messages and the copy of two steps before. */
      MPI_Waitall(P->Ranks, Sends, MPI_STATUSES_IGNORE);
      if (Used[S % 2])
        MUST(accx_event_wait(1, &Used[S % 2]));
      coefficients(P, Meet, S);
      for (int R = 1; R < P->Ranks; ++R)
        MPI_Isend(Meet, (int)Bytes, MPI_CL_MEM, R, 0, MPI_COMM_WORLD,
                  &Sends[R]);
#pragma acc update device(Meet[0 : (size_t)N * N]) async(Receive)
      accx_event_release(Received);
      MUST(accx_event_of_queue(Receive, &Received));
    } else {
      accx_event_release(Received);
      MUST(accx_recv(Receive, Meet, Bytes, 0, 0, MPI_COMM_WORLD,
                     Used[S % 2] != NULL, &Used[S % 2], &Received));
    }
    MUST(accx_queue_wait(Compute, 1, &Received));
    coagulate(P, Meet);
    accx_event_release(Used[S % 2]);
    MUST(accx_event_of_queue(Compute, &Used[S % 2]));
    /* All ranks' shares, from device to device. */
    MUST(accx_allreduce(Compute, P->Change, Sum, (size_t)N, MPI_FLOAT, MPI_SUM,
                        MPI_COMM_WORLD, 0, NULL, NULL));
    Powder Q = *P;
    Q.Change = Sum;
    apply(&Q);
  }
  acc_wait(Compute);
  MPI_Waitall(2 * P->Ranks, Requests, MPI_STATUSES_IGNORE);
  accx_event_release(Received);
  accx_event_release(Used[0]);
  accx_event_release(Used[1]);
  free(Requests);
}

static void onHost(const Powder *P, float *Count) {
  const int N = P->Sizes;
  double *Change = (double *)measureAlloc((size_t)N * sizeof(double));
  for (int S = 0; S < P->Steps; ++S) {
    coefficients(P, P->Meet[0], S);
    const float *Meet = P->Meet[0];
    for (int K = 0; K < N; ++K) {
      double Gain = 0, Loss = 0;
      for (int I = 0; I < K; ++I)
        Gain += (double)Meet[(size_t)I * N + (K - 1 - I)] * Count[I] *
                Count[K - 1 - I];
      for (int I = 0; I < N; ++I)
        Loss += (double)Meet[(size_t)K * N + I] * Count[I];
      Change[K] = 0.5 * Gain - Count[K] * Loss;
    }
    for (int K = 0; K < N; ++K)
      Count[K] += 1e-7f * (float)Change[K];
  }
  free(Change);
}

int main(int Argc, char **Argv) {
  int Threads;
  Powder P;
  memset(&P, 0, sizeof(P));
  MPI_Init_thread(&Argc, &Argv, MPI_THREAD_MULTIPLE, &Threads);
  MPI_Comm_rank(MPI_COMM_WORLD, &P.Rank);
  MPI_Comm_size(MPI_COMM_WORLD, &P.Ranks);
  P.Sizes = (int)measureArgument(Argc, Argv, 1, 200);
  P.Steps = (int)measureArgument(Argc, Argv, 2, 5);
  const int Repeats = (int)measureArgument(Argc, Argv, 3, 3);
  if (P.Sizes < P.Ranks || P.Sizes > 20000 || Repeats < 1 ||
      Repeats > MaxRepeats)
    return 2;
  acc_set_device_num(P.Rank % acc_get_num_devices(acc_get_device_type()),
                     acc_get_device_type());
  P.First = (int)((long)P.Sizes * P.Rank / P.Ranks);
  P.Last = (int)((long)P.Sizes * (P.Rank + 1) / P.Ranks);
  const size_t N = (size_t)P.Sizes, All = N * N;
  P.Meet[0] = (float *)measureAlloc(All * sizeof(float));
  P.Meet[1] = (float *)measureAlloc(All * sizeof(float));
  P.Count = (float *)measureAlloc(3 * N * sizeof(float));
  P.Change = P.Count + N;
  float *M0 = P.Meet[0], *M1 = P.Meet[1], *Count = P.Count,
        *Sum = Count + 2 * N;
  float *Expected = (float *)measureAlloc(2 * N * sizeof(float));
  float *Begin = Expected + N;
  for (size_t I = 0; I < N; ++I)
    Begin[I] = Expected[I] = (float)(1 + measureWord(I, 2) % 100) / (float)N;
  onHost(&P, Expected);
#pragma acc enter data create(M0[0 : All], M1[0 : All], Count[0 : 3 * N])
  int Wrong = 0;
  for (int Form = 0; Form < 2; ++Form) {
    double Ms[MaxRepeats];
    int Good = 1;
    for (int R = -1; R < Repeats; ++R) {
      memset(Count, 0, 3 * N * sizeof(float));
      memcpy(Count, Begin, N * sizeof(float));
      memset(M0, 0, All * sizeof(float));
      memset(M1, 0, All * sizeof(float));
#pragma acc update device(Count[0 : 3 * N])
      MPI_Barrier(MPI_COMM_WORLD);
      const double Start = measureNow();
      if (Form)
        withEvents(&P, Sum);
      else
        plain(&P);
      MPI_Barrier(MPI_COMM_WORLD);
      if (R >= 0)
        Ms[R] = (measureNow() - Start) / P.Steps;
#pragma acc update self(Count[0 : N])
      for (size_t I = 0; I < N; ++I) {
        const float E = Count[I] - Expected[I];
        Good &= E <= 1e-4f * Expected[I] && -E <= 1e-4f * Expected[I];
      }
    }
    int AllGood = 0;
    MPI_Allreduce(&Good, &AllGood, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    Wrong |= !AllGood;
    if (P.Rank == 0) {
      char Size[64];
      snprintf(Size, sizeof(Size), "%.1fMB %d ranks", 4e-6 * (double)All,
               P.Ranks);
      measureResult("powder", Form ? "accx" : "recv-then-copy", Size,
                    measureMedian(Ms, Repeats), "ms a step", AllGood);
    }
  }
#pragma acc exit data delete (M0[0 : All], M1[0 : All], Count[0 : 3 * N])
  free(M0);
  free(M1);
  free(Count);
  free(Expected);
  MPI_Finalize();
  return Wrong;
}
