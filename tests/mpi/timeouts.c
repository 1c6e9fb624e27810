// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ACCX_MPI_TIMEOUT: a message whose other side does not come ends, with a line
// that says which and how far it got; one that comes later than that is not
// mistaken for another. Without the variable it waits.
//
// RUN: %build %s -o %t
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K ACCX_MPI_TIMEOUT=1.2 %t funneled
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K ACCX_MPI_TIMEOUT=1.2 %t multiple
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K ACCX_MPI_TIMEOUT=1.2 %pieces %t multiple
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K ACCX_MPI_TIMEOUT=1.2 %share %t multiple

#include "Inputs/check.h"

#include <stdint.h>

enum { Size = 1000000 };

static void expect(accx_event_t Event, const char *Text) {
  CHECK(accx_event_wait(1, &Event) == -ETIMEDOUT);
  if (!strstr(accx_event_message(Event), Text))
    fprintf(stderr, "'%s', not '%s'\n", accx_event_message(Event), Text);
  CHECK(strstr(accx_event_message(Event), Text));
  accx_event_release(Event);
}

/// Nobody sends; then somebody does.
static void receives(void) {
  unsigned char *Data = make(Size, Rank, 1);
  accx_event_t Event;
  if (Rank == 1) {
    CHECK(accx_recv(1, Data, Size, 0, 6, MPI_COMM_WORLD, 0, NULL, &Event) == 0);
    expect(Event,
           "receive from 0, tag 6: no answer for 1.2 s, no message came");
    CHECK(accx_recv(1, Data, Size, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                    0, NULL, &Event) == 0);
    expect(Event, "receive from any rank, any tag: no answer for 1.2 s");
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(accx_recv(1, Data, Size, 0, 6, MPI_COMM_WORLD, 0, NULL, &Event) == 0);
    CHECK(finish(Event) == 0);
    fetch(Data, Size, 1);
    CHECK(firstWrong(Data, Size, 0) == Size);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(accx_send(1, Data, Size, 1, 6, MPI_COMM_WORLD, 0, NULL, &Event) == 0);
    CHECK(finish(Event) == 0);
  }
  drop(Data, Size, 1);
}

/// Nobody receives until the sender has given up. The receiver is told, and
/// gets what is sent next.
static void sends(void) {
  unsigned char *Data = make(Size, Rank + 5, 1);
  accx_event_t Event;
  if (Rank == 0) {
    CHECK(accx_send(1, Data, Size, 1, 8, MPI_COMM_WORLD, 0, NULL, &Event) == 0);
    expect(Event, "send to 1, tag 8: no answer for 1.2 s, 0 of 1000000 bytes");
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(accx_send(1, Data, Size, 1, 8, MPI_COMM_WORLD, 0, NULL, &Event) == 0);
    CHECK(finish(Event) == 0);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(accx_recv(1, Data, Size, 0, 8, MPI_COMM_WORLD, 0, NULL, &Event) == 0);
    // Of an offer that nobody waits for the memory is there all the same.
    const int Status = accx_event_wait(1, &Event);
    CHECK(Status == -ECONNABORTED ||
          (Status == 0 && getenv("ACCX_FAULT_OPTIONS") &&
           strstr(getenv("ACCX_FAULT_OPTIONS"), "share")));
    if (Status)
      CHECK(strstr(accx_event_message(Event), "the sender has given up"));
    accx_event_release(Event);
    CHECK(accx_recv(1, Data, Size, 0, 8, MPI_COMM_WORLD, 0, NULL, &Event) == 0);
    CHECK(finish(Event) == 0);
    fetch(Data, Size, 1);
    CHECK(firstWrong(Data, Size, 5) == Size);
  }
  drop(Data, Size, 1);
}

/// The sender stops in the middle of a message, whose parts are written by hand
/// here (mpi/Wire.h), and goes on when the receiver has given up: the rest is
/// thrown away, and what comes next is whole.
static void halfSent(void) {
  enum { Chunk = 65536, Chunks = 5, All = E + Chunks * Chunk };
  accx_event_t Event;
  unsigned char *Data = make(All, Rank + 30, 0);
  if (Rank == 0) {
    struct {
      unsigned char Data[E];
      uint32_t Magic;
      uint16_t Version, Flags;
      uint64_t Total, Chunk, Rest[5];
    } First = {.Magic = 0x41434358, .Version = 1, .Total = All, .Chunk = Chunk};
    CHECK(sizeof(First) == E + 64);
    memcpy(First.Data, Data, E);
    MPI_Send(&First, sizeof(First), MPI_BYTE, 1, 3, MPI_COMM_WORLD);
    MPI_Send(Data + E, Chunk, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int I = 1; I < Chunks; ++I)
      MPI_Send(Data + E + I * Chunk, Chunk, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
    MPI_Send(Data, 1000, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
  } else {
    CHECK(accx_recv(1, Data, All, 0, 3, MPI_COMM_WORLD, 0, NULL, &Event) == 0);
    expect(Event, "131072 of 393216 bytes came");
    CHECK(firstWrong(Data, E, 30) == E);
    memset(Data, 0, All);
    MPI_Barrier(MPI_COMM_WORLD);
    size_t Came = 0;
    CHECK(accx_recv(1, Data, All, 0, 3, MPI_COMM_WORLD, 0, NULL, &Event) == 0);
    CHECK(accx_event_wait(1, &Event) == 0);
    CHECK(accx_recv_result(Event, NULL, NULL, &Came) == 0 && Came == 1000);
    accx_event_release(Event);
    CHECK(firstWrong(Data, 1000, 30) == 1000);
    for (size_t I = 1000; I < All; ++I)
      CHECK(Data[I] == 0);
  }
  drop(Data, All, 0);
}

/// One behind another that waits gives up as well.
static void behind(void) {
  unsigned char Byte[2] = {0, 0};
  accx_event_t Events[2];
  if (Rank == 0) {
    CHECK(accx_recv(1, &Byte[0], 1, 1, 2, MPI_COMM_WORLD, 0, NULL,
                    &Events[0]) == 0);
    CHECK(accx_recv(2, &Byte[1], 1, 1, 2, MPI_COMM_WORLD, 0, NULL,
                    &Events[1]) == 0);
    expect(Events[0], "no message came");
    expect(Events[1], "no message came");
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int Count, char **Arguments) {
  begin(Count, Arguments);
  receives();
  sends();
  halfSent();
  behind();
  end();
}
