// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks of one machine copy from each other's device memory. That this is what
// happens is seen in the mappings that the receiver has of others' memory;
// where it cannot be, because the receiver's memory is the host's, or the
// communicator is of two groups, or it is not wanted, pieces come instead.
//
// RUN: %build %s -ldl -o %t
// RUN: %mpirun 3 %share %t multiple maps
// RUN: %mpirun 2 %share %t funneled maps
// RUN: %mpirun 2 ACCX_MPI_SHARE=0 %share %t multiple none
// RUN: %mpirun 2 %pieces %t multiple none

#include "Inputs/check.h"

#include <dlfcn.h>
#include <stdint.h>

static unsigned numImports(void) {
  void *Plugin = dlopen(getenv("LIBOMPTARGET_PLUGIN"), RTLD_NOW | RTLD_NOLOAD);
  CHECK(Plugin);
  unsigned (*Ask)(void) =
      (unsigned (*)(void))dlsym(Plugin, "accx_fault_num_imports");
  CHECK(Ask);
  return Ask();
}

/// Rank \p From to the next, in the world or in \p Comm.
static void pass(size_t Size, int FromDevice, int ToDevice, MPI_Comm Comm,
                 int Dest, int Source) {
  unsigned char *Data =
      make(Size, 20 + Rank, Rank == 0 ? FromDevice : ToDevice);
  accx_event_t Event = NULL;
  if (Rank == 0) {
    CHECK(accx_send(1, Data, Size, Dest, 1, Comm, 0, NULL, &Event) == 0);
    CHECK(finish(Event) == 0);
    // The memory may be used again.
    if (isDevice(FromDevice)) {
      memset(Data, 0, Size);
      acc_update_device(Data, Size);
    }
  } else if (Rank == 1) {
    size_t Came = 0;
    CHECK(accx_recv(1, Data, Size, Source, 1, Comm, 0, NULL, &Event) == 0);
    CHECK(accx_event_wait(1, &Event) == 0);
    CHECK(accx_recv_result(Event, NULL, NULL, &Came) == 0 && Came == Size);
    accx_event_release(Event);
    fetch(Data, Size, ToDevice);
    CHECK(firstWrong(Data, Size, 20) == Size);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  drop(Data, Size, Rank == 0 ? FromDevice : ToDevice);
}

/// A message of the program's with the form of an offer (mpi/Wire.h), into room
/// enough and into too little.
static void looksLikeOffer(int OnDevice) {
  struct {
    unsigned char Part[40];
    uint32_t Magic;
    uint16_t Version, Flags;
    uint64_t Total, Chunk;
    uint32_t Op, Parts;
    uint64_t Owner, Key[2], Rest;
  } Own = {.Magic = 0x41434358,
           .Version = 1,
           .Flags = 1,
           .Total = 1000000,
           .Chunk = 65536,
           .Parts = 1};
  enum { Size = sizeof(Own) };
  _Static_assert(Size == 104, "a part and a trailer");
  for (int I = 0; I < 4 && Rank < 2; ++I) {
    const size_t Room = I == 3 ? Size - 1 : Size + 100 * I;
    unsigned char *Data = make(Room, 50, OnDevice);
    accx_event_t Event = NULL;
    if (Rank == 0) {
      CHECK(MPI_Send(&Own, Size, MPI_BYTE, 1, 3, MPI_COMM_WORLD) == 0);
    } else {
      CHECK(accx_recv(1, Data, Room, 0, 3, MPI_COMM_WORLD, 0, NULL, &Event) ==
            0);
      CHECK(accx_event_wait(1, &Event) == (I == 3 ? -EMSGSIZE : 0));
      size_t Came = 0;
      CHECK(accx_recv_result(Event, NULL, NULL, &Came) == 0 && Came == Size);
      accx_event_release(Event);
      fetch(Data, Room, OnDevice);
      CHECK(I == 3 || memcmp(Data, &Own, Size) == 0);
    }
    drop(Data, Room, OnDevice);
  }
}

int main(int Count, char **Arguments) {
  begin(Count, Arguments);
  CHECK(Count == 3);
  const int Maps = !strcmp(Arguments[2], "maps");
  const MPI_Comm World = MPI_COMM_WORLD;
  // Ranks in the other order: offers go to processes, not to numbers.
  MPI_Comm Turned, Half, Between;
  MPI_Comm_split(World, 0, -Rank, &Turned);
  MPI_Comm_split(World, Rank == 0, 0, &Half);
  MPI_Intercomm_create(Half, 0, World, Rank == 0 ? 1 : 0, 5, &Between);

  looksLikeOffer(0);
  looksLikeOffer(1);
  pass(E, 1, 1, World, 1, 0);
  pass(1000000, 1, 0, World, 1, 0);
  pass(1000000, 0, 1, World, 1, 0);
  pass(1000000, 1, 1, Between, 0, 0);
  CHECK(numImports() == 0);
  pass(E + 1, 1, 1, World, 1, 0);
  CHECK((numImports() != 0) == (Maps && Rank == 1));
  const unsigned First = numImports();
  // The same memory again; then more, in several allocations.
  pass(E + 1, 1, 1, World, 1, 0);
  CHECK(numImports() <= First + 1);
  pass(20000001, 1, 1, Turned, NumRanks - 2, NumRanks - 1);
  CHECK((numImports() > First) == (Maps && Rank == 1));
  for (int I = 0; I < 30; ++I)
    pass(300000, 1, 1, World, 1, 0);

  // Offers and plain messages in one line, both ways at once.
  if (Rank < 2) {
    enum { N = 8 };
    unsigned char *Out[N], *In[N];
    for (int I = 0; I < N; ++I) {
      const size_t Size = I % 3 ? 400000 : 1000;
      Out[I] = make(Size, 10 * Rank + I, I % 2);
      In[I] = make(Size, 99, I % 4 < 2);
      CHECK(accx_send(1 + I % 2, Out[I], Size, 1 - Rank, I % 2, World, 0, NULL,
                      NULL) == 0);
      CHECK(accx_recv(3 + I % 2, In[I], Size, 1 - Rank, I % 2, World, 0, NULL,
                      NULL) == 0);
    }
    acc_wait_all();
    for (int I = 0; I < N; ++I) {
      const size_t Size = I % 3 ? 400000 : 1000;
      fetch(In[I], Size, I % 4 < 2);
      CHECK(firstWrong(In[I], Size, 10 * (1 - Rank) + I) == Size);
      drop(Out[I], Size, I % 2);
      drop(In[I], Size, I % 4 < 2);
    }
  }
  MPI_Comm_free(&Turned);
  MPI_Comm_free(&Between);
  MPI_Comm_free(&Half);
  end();
}
