// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broadcasts, reductions, gathers and exchanges of all, of devices and of the
// host, longer than a chunk; started in the order of the calls, whatever the
// order in which their queues come to them; on several communicators.
//
// RUN: %build %s -o %t
// RUN: %mpirun 4 ACCX_MPI_CHUNK=64K %t funneled
// RUN: %mpirun 3 ACCX_MPI_CHUNK=64K %t multiple
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %pieces %t multiple
// RUN: %mpirun 1 ACCX_MPI_CHUNK=64K %pieces %t single

#include "Inputs/check.h"

static const MPI_Comm World = MPI_COMM_WORLD;

static void broadcast(size_t Size, int OnDevice) {
  for (int Root = 0; Root < NumRanks; ++Root) {
    unsigned char *Data = make(Size, Rank, OnDevice);
    CHECK(accx_bcast(1, Data, Size, Root, World, 0, NULL, NULL) == 0);
    acc_wait(1);
    fetch(Data, Size, OnDevice);
    CHECK(
        firstWrong(Data, Size,
                   isDevice(OnDevice) && Rank != Root && !Size ? Rank : Root) ==
        Size);
    drop(Data, Size, OnDevice);
  }
}

static void reduce(size_t Count, int OnDevice, int InPlace) {
  double *In = malloc((Count + 1) * sizeof(double)),
         *Out = InPlace ? In : malloc((Count + 1) * sizeof(double));
  const size_t Bytes = (Count + 1) * sizeof(double);
  for (size_t I = 0; I <= Count; ++I)
    Out[I] = -1, In[I] = (double)(I % 1000) + Rank;
  if (OnDevice) {
    acc_copyin(In, Bytes);
    if (!InPlace)
      acc_copyin(Out, Bytes);
  }
  CHECK(accx_allreduce(2, In, Out, Count, MPI_DOUBLE, MPI_SUM, World, 0, NULL,
                       NULL) == 0);
  acc_wait(2);
  if (OnDevice) {
    acc_update_self(In, Bytes);
    acc_update_self(Out, Bytes);
    acc_delete(In, Bytes);
    if (!InPlace)
      acc_delete(Out, Bytes);
  }
  for (size_t I = 0; I < Count; ++I) {
    CHECK(Out[I] ==
          (double)(I % 1000) * NumRanks + NumRanks * (NumRanks - 1) / 2);
    CHECK(InPlace || In[I] == (double)(I % 1000) + Rank);
  }
  CHECK(Out[Count] == (InPlace ? (double)(Count % 1000) + Rank : -1));
  free(In);
  if (!InPlace)
    free(Out);
}

/// Elements with bytes between them that are none.
static void pairs(void) {
  struct {
    double Value;
    int Place;
  } Data[5000], Result[5000];
  memset(Data, 0, sizeof(Data));
  for (int I = 0; I < 5000; ++I)
    Data[I].Value = (I + Rank) % NumRanks, Data[I].Place = Rank;
  CHECK(accx_allreduce(acc_async_sync, Data, Result, 5000, MPI_DOUBLE_INT,
                       MPI_MAXLOC, World, 0, NULL, NULL) == 0);
  for (int I = 0; I < 5000; ++I)
    CHECK(Result[I].Value == NumRanks - 1 &&
          (I + Result[I].Place) % NumRanks == NumRanks - 1);
}

/// Block \p Gap bytes apart, of sizes that differ; what is between stays.
static void gather(size_t Gap, int OnDevice) {
  size_t Sizes[8], At[8], All = Gap;
  for (int R = 0; R < NumRanks; ++R) {
    Sizes[R] = R == 1 ? 0 : 100000u * (unsigned)R + 3;
    At[R] = All;
    All += Sizes[R] + Gap;
  }
  for (int Root = 0; Root < NumRanks; ++Root) {
    unsigned char *Mine = make(Sizes[Rank], Rank, OnDevice);
    unsigned char *Data = make(All, 60, OnDevice);
    const int IsRoot = Rank == Root;
    CHECK(accx_gatherv(1, Mine, Sizes[Rank], IsRoot ? Data : NULL,
                       IsRoot ? Sizes : NULL, IsRoot ? At : NULL, Root, World,
                       0, NULL, NULL) == 0);
    acc_wait(1);
    fetch(Data, All, OnDevice);
    for (int R = 0; R < NumRanks && IsRoot; ++R) {
      CHECK(firstWrong(Data + At[R], Sizes[R], R) == Sizes[R]);
      for (size_t I = 0; I < Gap; ++I)
        CHECK(Data[At[R] + Sizes[R] + I] == byteOf(60, At[R] + Sizes[R] + I));
    }
    CHECK(IsRoot || firstWrong(Data, All, 60) == All);
    drop(Mine, Sizes[Rank], OnDevice);
    drop(Data, All, OnDevice);
  }
}

static size_t between(int From, int To) {
  return From == 1 && To == 0 ? 0 : 1000u * (unsigned)(From + 1) + (unsigned)To;
}

static void allToAll(size_t Gap, int OnDevice) {
  size_t OutSizes[8], OutAt[8], InSizes[8], InAt[8], Out = 0, In = 0;
  for (int R = 0; R < NumRanks; ++R) {
    OutSizes[R] = between(Rank, R);
    OutAt[R] = Out;
    Out += OutSizes[R] + Gap;
    InSizes[R] = between(R, Rank);
    InAt[R] = In;
    In += InSizes[R] + Gap;
  }
  unsigned char *From = make(Out, 3, OnDevice), *To = make(In, 70, OnDevice);
  for (int R = 0; R < NumRanks; ++R)
    for (size_t I = 0; I < OutSizes[R]; ++I)
      From[OutAt[R] + I] = byteOf(Rank * 8 + R, I);
  if (isDevice(OnDevice))
    acc_update_device(From, Out);
  CHECK(accx_alltoallv(1, From, OutSizes, OutAt, To, InSizes, InAt, World, 0,
                       NULL, NULL) == 0);
  acc_wait(1);
  fetch(To, In, OnDevice);
  for (int R = 0; R < NumRanks; ++R) {
    CHECK(firstWrong(To + InAt[R], InSizes[R], R * 8 + Rank) == InSizes[R]);
    for (size_t I = 0; I < Gap; ++I)
      CHECK(To[InAt[R] + InSizes[R] + I] ==
            byteOf(70, InAt[R] + InSizes[R] + I));
  }
  drop(From, Out, OnDevice);
  drop(To, In, OnDevice);
}

/// Ranks with nothing to say take part.
static void empty(void) {
  size_t None[8] = {0};
  char Nothing = 0;
  CHECK(accx_alltoallv(acc_async_sync, NULL, None, None, NULL, None, None,
                       World, 0, NULL, NULL) == 0);
  CHECK(accx_gatherv(acc_async_sync, &Nothing, 0, &Nothing, None, None, 0,
                     World, 0, NULL, NULL) == 0);
  CHECK(accx_bcast(acc_async_sync, NULL, 0, 0, World, 0, NULL, NULL) == 0);
}

/// Called in one order on all ranks; queues let them go in another, which
/// differs between ranks. One that fails before it starts is left out.
static void queues(MPI_Comm Other) {
  enum { N = 4, Size = 150000 };
  unsigned char *Data[N];
  accx_event_t Gates[N], Events[N], Lost;
  for (int I = 0; I < N; ++I) {
    Data[I] = make(Size, 10 * Rank + I, 1);
    CHECK(accx_event_create_user(&Gates[I]) == 0);
  }
  CHECK(accx_event_create_user(&Lost) == 0);
  accx_event_t Failed;
  unsigned char *Same = make(Size, 50 + Rank, 1);
  for (int I = 0; I < N; ++I) {
    CHECK(accx_bcast(1 + I, Data[I], Size, I % NumRanks, World, 1, &Gates[I],
                     &Events[I]) == 0);
    if (I == 1)
      CHECK(accx_bcast(9, Same, Size, 0, World, 1, &Lost, &Failed) == 0);
  }
  // Another communicator's do not wait for these.
  CHECK(accx_bcast(10, Same, Size, 0, Other, 0, NULL, NULL) == 0);
  acc_wait(10);
  fetch(Same, Size, 1);
  CHECK(firstWrong(Same, Size, 50) == Size);
  CHECK(accx_event_complete(Lost, -EIO) == 0);
  for (int I = 0; I < N; ++I)
    CHECK(accx_event_complete(Gates[Rank % 2 ? I : N - 1 - I], 0) == 0);
  CHECK(finish(Failed) == -ECANCELED);
  CHECK(accx_event_wait(N, Events) == 0);
  for (int I = 0; I < N; ++I) {
    fetch(Data[I], Size, 1);
    CHECK(firstWrong(Data[I], Size, 10 * (I % NumRanks) + I) == Size);
    drop(Data[I], Size, 1);
    accx_event_release(Gates[I]);
    accx_event_release(Events[I]);
  }
  accx_event_release(Lost);
  drop(Same, Size, 1);
}

int main(int Count, char **Arguments) {
  begin(Count, Arguments);
  MPI_Comm Other;
  MPI_Comm_dup(World, &Other);
  for (int OnDevice = 0; OnDevice < 2; ++OnDevice) {
    broadcast(1, OnDevice);
    broadcast(65536, OnDevice);
    broadcast(1000003, OnDevice);
    for (int InPlace = 0; InPlace < 2; ++InPlace) {
      reduce(1, OnDevice, InPlace);
      reduce(100001, OnDevice, InPlace);
    }
    gather(0, OnDevice);
    gather(5, OnDevice);
    allToAll(0, OnDevice);
    allToAll(9, OnDevice);
  }
  pairs();
  empty();
  queues(Other);
  MPI_Comm_free(&Other);
  end();
}
