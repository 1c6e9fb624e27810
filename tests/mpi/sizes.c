// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages of every size that is treated in another way, between memory of
// devices and of the host, at every level of threads; with memory that the host
// reaches and with copies through pinned memory.
//
// RUN: %build %s -o %t
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %t single
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %t funneled
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %t serialized
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %t multiple
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %pieces %t multiple
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %share %t funneled
// RUN: %mpirun 2 %t multiple
// RUN: %mpirun 2 ACCX_MPI_SHARE=0 %pieces %t funneled
// RUN: %mpirun 2 ACCX_MPI_CHUNK=300K %pieces %t multiple
// RUN: %mpirun 2 OMP_TARGET_OFFLOAD=DEFAULT ACC_DEVICE_TYPE=host ACCX_MPI_CHUNK=64K %t funneled

#include "Inputs/check.h"

enum { Chunk = 65536 };

static void pass(size_t Size, size_t Room, int FromDevice, int ToDevice,
                 int Queue) {
  const int Seed = (int)(Size % 101) + 2 * FromDevice + ToDevice;
  accx_event_t Event;
  if (Rank == 0) {
    unsigned char *Data = make(Size, Seed, FromDevice);
    CHECK(accx_send(Queue, Data, Size, 1, 7, MPI_COMM_WORLD, 0, NULL, &Event) ==
          0);
    CHECK(finish(Event) == 0);
    drop(Data, Size, FromDevice);
    return;
  }
  int Source = -5, Tag = -5;
  size_t Came = 1;
  unsigned char *Data = make(Room, 99, ToDevice);
  CHECK(accx_recv(Queue, Data, Room, 0, 7, MPI_COMM_WORLD, 0, NULL, &Event) ==
        0);
  CHECK(accx_event_wait(1, &Event) == 0);
  CHECK(accx_recv_result(Event, &Source, &Tag, &Came) == 0);
  CHECK(Source == 0 && Tag == 7 && Came == Size);
  accx_event_release(Event);
  fetch(Data, Room, ToDevice);
  CHECK(firstWrong(Data, Size, Seed) == Size);
  // What is beyond the message is as it was.
  for (size_t I = Size; I < Room; ++I)
    CHECK(Data[I] == byteOf(99, I));
  drop(Data, Room, ToDevice);
}

int main(int Count, char **Arguments) {
  begin(Count, Arguments);
  const size_t Sizes[] = {0,         1,         E - 1,         E,
                          E + 1,     Chunk,     Chunk + 1,     E + Chunk - 1,
                          E + Chunk, 3 * Chunk, E + 9 * Chunk, 1000003,
                          1 << 20,   1048577,   1500000};
  for (size_t S = 0; S < sizeof(Sizes) / sizeof(Sizes[0]); ++S)
    for (int Places = 0; Places < 4; ++Places) {
      pass(Sizes[S], Sizes[S], Places & 1, Places >> 1, acc_async_sync);
      pass(Sizes[S], Sizes[S] + 200000, Places & 1, Places >> 1, 1);
      pass(Sizes[S], Sizes[S] + 1, Places & 1, Places >> 1, 2);
    }
  end();
}
