// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which message a receive gets: those with the same tag in order, long and
// short ones mixed, from several queues; wildcards, whose chunks are of one
// sender; tags and communicators apart.
//
// RUN: %build %s -o %t
// RUN: %mpirun 4 ACCX_MPI_CHUNK=32K %t funneled
// RUN: %mpirun 4 ACCX_MPI_CHUNK=32K %t multiple
// RUN: %mpirun 3 ACCX_MPI_CHUNK=32K %share %t multiple

#include "Inputs/check.h"

enum { Rounds = 12, Largest = 300000 };

static size_t sizeOf(int Round) {
  const size_t Sizes[] = {0, 10, E, E + 1, 100000, Largest};
  return Sizes[(unsigned)Round % 6];
}

/// All are queued at once, on one queue on one side and on several on the
/// other, where events put them in order.
static void inOrder(void) {
  unsigned char *Data[Rounds];
  accx_event_t Events[Rounds];
  if (Rank == 0)
    for (int R = 0; R < Rounds; ++R) {
      Data[R] = make(sizeOf(R), R, R & 1);
      CHECK(accx_send(1, Data[R], sizeOf(R), 1, 5, MPI_COMM_WORLD, 0, NULL,
                      &Events[R]) == 0);
    }
  else if (Rank == 1)
    for (int R = 0; R < Rounds; ++R) {
      Data[R] = make(Largest, 77, R & 2);
      CHECK(accx_recv(1, Data[R], Largest, 0, 5, MPI_COMM_WORLD, 0, NULL,
                      &Events[R]) == 0);
    }
  for (int R = 0; R < Rounds && Rank < 2; ++R) {
    CHECK(accx_event_wait(1, &Events[R]) == 0);
    if (Rank == 1) {
      size_t Size = 0;
      CHECK(accx_recv_result(Events[R], NULL, NULL, &Size) == 0);
      CHECK(Size == sizeOf(R));
      fetch(Data[R], Largest, R & 2);
      CHECK(firstWrong(Data[R], Size, R) == Size);
      drop(Data[R], Largest, R & 2);
    } else {
      drop(Data[R], sizeOf(R), R & 1);
    }
    accx_event_release(Events[R]);
  }
}

/// Every rank but the last sends to it, each on a queue of its own; it takes
/// whatever comes. A long message must not be mixed with others'.
static void wildcards(void) {
  const int To = NumRanks - 1, Each = 6, All = Each * To;
  if (Rank != To) {
    for (int I = 0; I < Each; ++I) {
      const size_t Size = sizeOf(I + Rank);
      unsigned char *Data = make(Size, 10 * Rank + I, 1);
      CHECK(accx_send(1 + I % 2, Data, Size, To, 100 + I, MPI_COMM_WORLD, 0,
                      NULL, NULL) == 0);
      acc_wait(1 + I % 2);
      drop(Data, Size, 1);
    }
    return;
  }
  unsigned char **Data = malloc(sizeof(void *) * (size_t)All);
  accx_event_t *Events = malloc(sizeof(accx_event_t) * (size_t)All);
  for (int I = 0; I < All; ++I) {
    Data[I] = make(Largest, 0, 1);
    CHECK(accx_recv(1 + I % 4, Data[I], Largest, MPI_ANY_SOURCE, MPI_ANY_TAG,
                    MPI_COMM_WORLD, 0, NULL, &Events[I]) == 0);
  }
  int Seen[8][8] = {{0}};
  CHECK(accx_event_wait(All, Events) == 0);
  for (int I = 0; I < All; ++I) {
    int Source = -1, Tag = -1;
    size_t Size = 0;
    CHECK(accx_recv_result(Events[I], &Source, &Tag, &Size) == 0);
    CHECK(Source >= 0 && Source < To && Tag >= 100 && Tag < 100 + Each);
    CHECK(!Seen[Source][Tag - 100]++);
    CHECK(Size == sizeOf(Tag - 100 + Source));
    fetch(Data[I], Largest, 1);
    CHECK(firstWrong(Data[I], Size, 10 * Source + Tag - 100) == Size);
    drop(Data[I], Largest, 1);
    accx_event_release(Events[I]);
  }
  free(Data);
  free(Events);
}

/// Receives that cannot be mistaken for each other end in any order.
static void apart(MPI_Comm Other) {
  unsigned char *A = make(100000, 1, 1), *B = make(100000, 2, 1),
                *C = make(100000, 3, 1);
  accx_event_t Events[3];
  if (Rank == 0) {
    // The receives of these were queued in the opposite order.
    CHECK(accx_send(1, A, 100000, 1, 1, MPI_COMM_WORLD, 0, NULL, NULL) == 0);
    CHECK(accx_send(1, B, 100000, 1, 2, MPI_COMM_WORLD, 0, NULL, NULL) == 0);
    CHECK(accx_send(1, C, 100000, 1, 1, Other, 0, NULL, NULL) == 0);
    acc_wait(1);
  } else if (Rank == 1) {
    CHECK(accx_recv(1, A, 100000, 0, 1, Other, 0, NULL, &Events[0]) == 0);
    CHECK(accx_recv(2, B, 100000, 0, 2, MPI_COMM_WORLD, 0, NULL, &Events[1]) ==
          0);
    CHECK(accx_recv(3, C, 100000, 0, 1, MPI_COMM_WORLD, 0, NULL, &Events[2]) ==
          0);
    CHECK(accx_event_wait(3, Events) == 0);
    fetch(A, 100000, 1);
    fetch(B, 100000, 1);
    fetch(C, 100000, 1);
    CHECK(firstWrong(A, 100000, 3) == 100000);
    CHECK(firstWrong(B, 100000, 2) == 100000);
    CHECK(firstWrong(C, 100000, 1) == 100000);
    for (int I = 0; I < 3; ++I)
      accx_event_release(Events[I]);
  }
  drop(A, 100000, 1);
  drop(B, 100000, 1);
  drop(C, 100000, 1);
}

int main(int Count, char **Arguments) {
  begin(Count, Arguments);
  MPI_Comm Other;
  MPI_Comm_dup(MPI_COMM_WORLD, &Other);
  inOrder();
  wildcards();
  apart(Other);
  MPI_Comm_free(&Other);
  end();
}
