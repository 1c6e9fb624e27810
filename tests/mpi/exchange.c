// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accx_sendrecv, around a ring, to oneself, to no rank; large both ways, and
// both ways by sends and receives that only different queues keep from waiting
// for each other.
//
// RUN: %build %s -o %t
// RUN: %mpirun 4 %t single
// RUN: %mpirun 3 ACCX_MPI_CHUNK=128K %t serialized
// RUN: %mpirun 2 ACCX_MPI_CHUNK=1M %t multiple
// RUN: %mpirun 2 ACCX_MPI_CHUNK=1M %share %t multiple
// RUN: %mpirun 2 ACCX_MPI_CHUNK=1M %pieces %t multiple

#include "Inputs/check.h"

static void around(size_t Size, int Queue) {
  const int Right = (Rank + 1) % NumRanks,
            Left = (Rank + NumRanks - 1) % NumRanks;
  unsigned char *Out = make(Size, Rank, 1), *In = make(Size, 90, 1);
  accx_event_t Event;
  for (int Step = 0; Step < 3; ++Step) {
    CHECK(accx_sendrecv(Queue, Out, Size, Right, Step, In, Size, Left, Step,
                        MPI_COMM_WORLD, 0, NULL, &Event) == 0);
    int Source, Tag;
    size_t Came;
    CHECK(accx_event_wait(1, &Event) == 0);
    CHECK(accx_recv_result(Event, &Source, &Tag, &Came) == 0);
    CHECK(Source == Left && Tag == Step && Came == Size);
    accx_event_release(Event);
    fetch(In, Size, 1);
    CHECK(firstWrong(In, Size, (Rank + 3 * NumRanks - Step - 1) % NumRanks) ==
          Size);
    unsigned char *Was = Out;
    Out = In;
    In = Was;
  }
  drop(Out, Size, 1);
  drop(In, Size, 1);
}

static void alone(void) {
  const size_t Size = 500000;
  unsigned char *Out = make(Size, 1, 1), *In = make(Size, 2, 1);
  accx_event_t Event;
  CHECK(accx_sendrecv(acc_async_sync, Out, Size, Rank, 1, In, Size, Rank, 1,
                      MPI_COMM_WORLD, 0, NULL, NULL) == 0);
  fetch(In, Size, 1);
  CHECK(firstWrong(In, Size, 1) == Size);

  int Source = 0, Tag = 0;
  size_t Came = 1;
  CHECK(accx_send(1, Out, Size, MPI_PROC_NULL, 3, MPI_COMM_WORLD, 0, NULL,
                  NULL) == 0);
  CHECK(accx_recv(1, Out, Size, MPI_PROC_NULL, 3, MPI_COMM_WORLD, 0, NULL,
                  &Event) == 0);
  CHECK(accx_event_wait(1, &Event) == 0);
  CHECK(accx_recv_result(Event, &Source, &Tag, &Came) == 0);
  CHECK(Source == MPI_PROC_NULL && Tag == MPI_ANY_TAG && Came == 0);
  accx_event_release(Event);
  fetch(Out, Size, 1);
  CHECK(firstWrong(Out, Size, 1) == Size);
  drop(Out, Size, 1);
  drop(In, Size, 1);
}

/// Ranks 0 and 1: a large send and a large receive each.
static void bothWays(void) {
  const size_t Size = 6000001;
  if (Rank > 1)
    return;
  unsigned char *Out = make(Size, Rank, 1), *In = make(Size, 9, 1);
  accx_event_t Events[2];
  CHECK(accx_send(1, Out, Size, 1 - Rank, 1, MPI_COMM_WORLD, 0, NULL,
                  &Events[0]) == 0);
  CHECK(accx_recv(2, In, Size, 1 - Rank, 1, MPI_COMM_WORLD, 0, NULL,
                  &Events[1]) == 0);
  CHECK(accx_event_wait(2, Events) == 0);
  fetch(In, Size, 1);
  CHECK(firstWrong(In, Size, 1 - Rank) == Size);
  accx_event_release(Events[0]);
  accx_event_release(Events[1]);
  drop(Out, Size, 1);
  drop(In, Size, 1);
}

int main(int Count, char **Arguments) {
  begin(Count, Arguments);
  around(100, acc_async_sync);
  around(E, 1);
  around(3000000, 1);
  around(1000000, acc_async_sync);
  alone();
  bothWays();
  end();
}
