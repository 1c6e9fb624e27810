/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   What the programs of this folder share: MPI at a level that the first
   argument names, data whose every byte tells where it is from, and checks that
   end all ranks. */
#ifndef ACCX_TESTS_MPI_CHECK_H
#define ACCX_TESTS_MPI_CHECK_H

#include <accx/mpi.h>
#include <errno.h>
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define E ACCX_MPI_PLAIN_BYTES

static int Rank, NumRanks, Level;

#define CHECK(Condition)                                                       \
  do                                                                           \
    if (!(Condition)) {                                                        \
      fprintf(stderr, "rank %d, %s:%d: %s\n", Rank, __FILE__, __LINE__,        \
              #Condition);                                                     \
      MPI_Abort(MPI_COMM_WORLD, 1);                                            \
    }                                                                          \
  while (0)

static inline void begin(int Count, char **Arguments) {
  const char *Names[] = {"single", "funneled", "serialized", "multiple"};
  const int Levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED,
                        MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
  int Wanted = 3;
  for (int I = 0; I < 4; ++I)
    if (Count > 1 && !strcmp(Arguments[1], Names[I]))
      Wanted = I;
  if (Wanted == 0) {
    MPI_Init(&Count, &Arguments);
    MPI_Query_thread(&Level);
  } else {
    MPI_Init_thread(&Count, &Arguments, Levels[Wanted], &Level);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &Rank);
  MPI_Comm_size(MPI_COMM_WORLD, &NumRanks);
  // Open MPI may give more than was asked for.
  CHECK(Level >= Levels[Wanted]);
  CHECK(acc_get_num_devices(acc_device_not_host) > 0);
}

static inline void end(void) { MPI_Finalize(); }

static inline unsigned char byteOf(int Seed, size_t At) {
  return (unsigned char)(Seed * 131 + At * 7 + (At >> 8) * 13 +
                         (At >> 16) * 17);
}

/// Where constructs run on the host there is one copy of data.
static inline int isDevice(int OnDevice) {
  return OnDevice && acc_get_device_type() != acc_device_host;
}

/// Memory of the host, and with \p OnDevice a copy of it on the device.
static inline unsigned char *make(size_t Size, int Seed, int OnDevice) {
  unsigned char *Data = malloc(Size ? Size : 1);
  for (size_t I = 0; I < Size; ++I)
    Data[I] = byteOf(Seed, I);
  if (isDevice(OnDevice) && Size) {
    acc_copyin(Data, Size);
    memset(Data, 0xee, Size); // What is on the host does not count.
  }
  return Data;
}

/// The host's copy is what the device has.
static inline void fetch(unsigned char *Data, size_t Size, int OnDevice) {
  if (isDevice(OnDevice) && Size)
    acc_update_self(Data, Size);
}

static inline void drop(unsigned char *Data, size_t Size, int OnDevice) {
  if (isDevice(OnDevice) && Size)
    acc_delete(Data, Size);
  free(Data);
}

/// The first byte that is not of \p Seed; \p Size if all are.
static inline size_t firstWrong(const unsigned char *Data, size_t Size,
                                int Seed) {
  for (size_t I = 0; I < Size; ++I)
    if (Data[I] != byteOf(Seed, I))
      return I;
  return Size;
}

/// Waits for one event and gives it back.
static inline int finish(accx_event_t Event) {
  const int Status = accx_event_wait(1, &Event);
  accx_event_release(Event);
  return Status;
}

#endif
