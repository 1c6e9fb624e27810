/*===- messages.c - Messages from device to device ------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Rank 0 sends device memory to rank 1, which sends it back; half of the time
|* counts. Beside accx_send and accx_recv what programs do by hand:
|*
|*     host        MPI_Send and MPI_Recv of host memory: the least there is
|*     pinned      a copy to pinned memory, a message, a copy
|*     pipelined   pieces: the next one is copied while one is on its way; the
|*                 best of three sizes of pieces
|*
|* All ways take turns. Large messages also go one way, one behind the other
|* (`one-way`): ranks that share a device do not wait for each other's turn on
it
|* then, as they do where each answers. Without MPI_THREAD_MULTIPLE (argument
`funneled`) the
|* main thread moves accx's messages while it waits.
|*
|* Usage: mpirun -n 2 messages [largest MiB [repeats [funneled]]]
|*
\*===----------------------------------------------------------------------===*/

#include "copies.h"

#include <accx/mpi.h>

enum { MaxRepeats = 1024, Ways = 6, Host = 0, Pinned, Pipelined, Accx = 5 };

static int Rank;
static char *Device, *Staging;
static CopyStream Stream;
static CopyMark Marks[2];

static void sendPieces(size_t Size, size_t Piece) {
  const size_t First = Size < Piece ? Size : Piece;
  copyOut(Staging, Device, First, Stream);
  copyMark(Marks[0], Stream);
  int I = 0;
  for (size_t At = 0; At < Size; At += Piece, I = !I) {
    const size_t Next = At + Piece;
    if (Next < Size) {
      copyOut(Staging + Next, Device + Next,
              Size - Next < Piece ? Size - Next : Piece, Stream);
      copyMark(Marks[!I], Stream);
    }
    copyWaitMark(Marks[I]);
    MPI_Send(Staging + At, (int)(Size - At < Piece ? Size - At : Piece),
             MPI_BYTE, !Rank, 1, MPI_COMM_WORLD);
  }
}

static void receivePieces(size_t Size, size_t Piece) {
  for (size_t At = 0; At < Size; At += Piece) {
    const size_t Bytes = Size - At < Piece ? Size - At : Piece;
    MPI_Recv(Staging + At, (int)Bytes, MPI_BYTE, !Rank, 1, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    copyIn(Device + At, Staging + At, Bytes, Stream);
  }
  copyWait(Stream);
}

static size_t pieceOf(int Way) { return (size_t)1 << (18 + 2 * Way - 4); }

/* Pieces are for messages of at least two of them. */
static int isPieces(int Way) { return Way >= Pipelined && Way < Accx; }
static int makesSense(int Way, size_t Size) {
  return !isPieces(Way) || Size >= 2 * pieceOf(Way);
}

static void sendBy(int Way, size_t Size) {
  if (Way == Accx) {
    MUST(accx_send(acc_async_sync, Device, Size, !Rank, 0, MPI_COMM_WORLD, 0,
                   NULL, NULL));
    return;
  }
  if (Way >= Pipelined) {
    sendPieces(Size, pieceOf(Way));
    return;
  }
  if (Way == Pinned) {
    copyOut(Staging, Device, Size, Stream);
    copyWait(Stream);
  }
  MPI_Send(Staging, (int)Size, MPI_BYTE, !Rank, 0, MPI_COMM_WORLD);
}

static void receiveBy(int Way, size_t Size) {
  if (Way == Accx) {
    MUST(accx_recv(acc_async_sync, Device, Size, !Rank, 0, MPI_COMM_WORLD, 0,
                   NULL, NULL));
    return;
  }
  if (Way >= Pipelined) {
    receivePieces(Size, pieceOf(Way));
    return;
  }
  MPI_Recv(Staging, (int)Size, MPI_BYTE, !Rank, 0, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  if (Way == Pinned) {
    copyIn(Device, Staging, Size, Stream);
    copyWait(Stream);
  }
}

/* Milliseconds of one way. */
static double ping(int Way, size_t Size) {
  const double Begin = measureNow();
  if (Rank == 0) {
    sendBy(Way, Size);
    receiveBy(Way, Size);
  } else {
    receiveBy(Way, Size);
    sendBy(Way, Size);
  }
  return (measureNow() - Begin) / 2;
}

static void fill(size_t Size, uint64_t Seed) {
  uint64_t *W = (uint64_t *)Device;
  const size_t Words = Size / 8;
#pragma acc parallel loop deviceptr(W)
  for (size_t I = 0; I < Words; ++I)
    W[I] = measureWord(I, Seed);
}

static int filled(size_t Size, uint64_t Seed) {
  const uint64_t *W = (const uint64_t *)Device;
  const size_t Words = Size / 8;
  size_t Bad = 0;
#pragma acc parallel loop deviceptr(W) reduction(+ : Bad)
  for (size_t I = 0; I < Words; ++I)
    Bad += W[I] != measureWord(I, Seed);
  return Bad == 0;
}

static int measure(size_t Size, int Repeats) {
  static double Ms[Ways][MaxRepeats];
  int Good[Ways], Wrong = 0;
  for (int Way = 0; Way < Ways; ++Way) {
    /* Rank 0's data has to come to rank 1, and back. */
    Good[Way] = 1;
    if (Way == Host)
      continue;
    fill(Size, Rank == 0 ? (uint64_t)Way : 99);
    if (Rank == 0)
      sendBy(Way, Size);
    else
      receiveBy(Way, Size);
    Good[Way] = filled(Size, (uint64_t)Way);
    fill(Size, Rank == 1 ? (uint64_t)Way + 50 : 99);
    if (Rank == 1)
      sendBy(Way, Size);
    else
      receiveBy(Way, Size);
    Good[Way] &= filled(Size, (uint64_t)Way + 50);
  }
  for (int R = -2; R < Repeats; ++R)
    for (int Way = 0; Way < Ways; ++Way) {
      if (!makesSense(Way, Size))
        continue;
      MPI_Barrier(MPI_COMM_WORLD);
      const double T = ping(Way, Size);
      if (R >= 0)
        Ms[Way][R] = T;
    }
  int All[Ways];
  MPI_Allreduce(Good, All, Ways, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  double Best = 1e30;
  int BestWay = Pipelined;
  for (int Way = 0; Way < Ways; ++Way) {
    Wrong |= !All[Way];
    const int Pieces = isPieces(Way);
    if (Rank != 0 || !makesSense(Way, Size))
      continue;
    const double M = measureMedian(Ms[Way], Repeats);
    if (Pieces && M < Best)
      Best = M, BestWay = Way;
    if (Way == Accx && Best < 1e30) {
      char Name[64];
      snprintf(Name, sizeof(Name), "pipelined-%s",
               measureSize(pieceOf(BestWay)));
      measureBandwidth("message", Name, Size, Best, All[BestWay]);
    }
    if (!Pieces)
      measureBandwidth("message",
                       Way == Host     ? "host"
                       : Way == Pinned ? "pinned"
                                       : "accx",
                       Size, M, All[Way]);
  }
  return Wrong;
}

/* Messages of rank 0 to rank 1, all queued at once; the time of one. */
static int oneWay(size_t Size, int Repeats) {
  enum { Messages = 16, Queue = 1 };
  static double Ms[MaxRepeats];
  accx_event_t Last = NULL;
  fill(Size, Rank == 0 ? 7 : 99);
  for (int R = -1; R < Repeats; ++R) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double Begin = measureNow();
    for (int I = 0; I < Messages; ++I) {
      if (Rank == 0)
        MUST(accx_send(Queue, Device, Size, 1, 0, MPI_COMM_WORLD, 0, NULL,
                       NULL));
      else
        MUST(accx_recv(Queue, Device, Size, 0, 0, MPI_COMM_WORLD, 0, NULL,
                       NULL));
    }
    MUST(accx_event_of_queue(Queue, &Last));
    MUST(accx_event_wait(1, &Last));
    accx_event_release(Last);
    if (R >= 0)
      Ms[R] = (measureNow() - Begin) / Messages;
  }
  const int Good = filled(Size, 7);
  int All;
  MPI_Allreduce(&Good, &All, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (Rank == 1)
    measureBandwidth("message", "accx-one-way", Size,
                     measureMedian(Ms, Repeats), All);
  return !All;
}

int main(int Argc, char **Argv) {
  int Ranks, Threads;
  const int Funneled = Argc > 3 && strcmp(Argv[3], "funneled") == 0;
  MPI_Init_thread(&Argc, &Argv,
                  Funneled ? MPI_THREAD_FUNNELED : MPI_THREAD_MULTIPLE,
                  &Threads);
  MPI_Comm_rank(MPI_COMM_WORLD, &Rank);
  MPI_Comm_size(MPI_COMM_WORLD, &Ranks);
  const size_t Largest = (size_t)measureArgument(Argc, Argv, 1, 4) << 20;
  const int Repeats = (int)measureArgument(Argc, Argv, 2, 9);
  if (Ranks != 2 || Repeats < 1 || Repeats > MaxRepeats || !Largest) {
    fprintf(stderr, "messages: two ranks, please\n");
    return 2;
  }
  const int Number = Rank % acc_get_num_devices(acc_get_device_type());
  acc_set_device_num(Number, acc_get_device_type());
  copiesBegin(Number);
  Stream = copiesStream();
  Marks[0] = copiesMark();
  Marks[1] = copiesMark();
  Staging = (char *)copiesPinned(Largest);
  Device = (char *)acc_malloc(Largest);
  int Wrong = Device == NULL;
  for (size_t Size = 8; !Wrong && Size <= Largest; Size *= Size < 64 ? 8 : 4) {
    const int Few = Size > 1 << 20 ? Repeats : 20 * Repeats;
    Wrong = measure(Size, Few < MaxRepeats ? Few : MaxRepeats);
    if (Size * 4 > Largest && Size < Largest)
      Wrong |= measure(Largest, Repeats);
  }
  for (size_t Size = (size_t)1 << 20; !Wrong && Size <= Largest; Size *= 4)
    Wrong = oneWay(Size, Repeats);
  acc_free(Device);
  copiesFree(Staging);
  copiesEnd(Stream);
  MPI_Finalize();
  return Wrong;
}
