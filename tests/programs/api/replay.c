// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with arguments given by address: of the program's own, and recorded.
// RUN: %clang %s -o %t
// RUN: %run %t own
// RUN: rm -rf %t.dir
// RUN: mkdir %t.dir
// RUN: cd %t.dir && %run %t recorded
// RUN: %run %t record 2>&1 | FileCheck %s
// RUN: %run not --crash %t short 2>&1 | FileCheck %s --check-prefix=CHECK-SHORT

// CHECK: omptarget error: Recording kernels is not supported: device 0 will not record
// CHECK-SHORT: omptarget error: Replay on device 0: the recording has 128 bytes, but replay was activated for 64
// CHECK-SHORT: omptarget fatal error 1: failure of target construct while offloading is mandatory

#include "Inputs/expect.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { N = 32 };

struct Entry {
  void *Address;
  char *Name;
  size_t Size;
  int32_t Flags, Data;
};
extern struct Entry __start_omp_offloading_entries[];
extern struct Entry __stop_omp_offloading_entries[];

int __tgt_activate_record_replay(int64_t, uint64_t, void *, _Bool, _Bool,
                                 uint64_t *);
int __tgt_target_kernel_replay(void *, int64_t, void *, void *, int64_t,
                               void **, ptrdiff_t *, int32_t, int32_t, int32_t,
                               uint64_t);

/// Never called: brings a kernel into the program.
void addOne(int *P) {
#pragma omp target map(tofrom : P[0 : N])
  for (int I = 0; I < N; ++I)
    P[I] += 1;
}

static struct Entry *kernel(void) {
  for (struct Entry *E = __start_omp_offloading_entries;
       E != __stop_omp_offloading_entries; ++E)
    if (strstr(E->Name, "_addOne_l"))
      return E;
  EXPECT(!"no kernel");
  return NULL;
}

static void replayOwn(void) {
  int Host[N + 4], Memory[N] = {0};
  for (int I = 0; I < N + 4; ++I)
    Host[I] = I;
  int *Device = omp_target_alloc(sizeof(Host), 0);
  EXPECT(omp_target_memcpy(Device, Host, sizeof(Host), 0, 0, 0,
                           omp_get_initial_device()) == 0);
  void *Args[1] = {Device};
  ptrdiff_t Offsets[1] = {4 * sizeof(int)};
  EXPECT(__tgt_target_kernel_replay(NULL, 0, kernel()->Address, Memory,
                                    sizeof(Memory), Args, Offsets, 1, 1, 1,
                                    N) == 0);
  EXPECT(omp_target_memcpy(Host, Device, sizeof(Host), 0, 0,
                           omp_get_initial_device(), 0) == 0);
  for (int I = 0; I < N + 4; ++I)
    EXPECT(Host[I] == (I < 4 ? I : I + 1));
  omp_target_free(Device, 0);
}

/// As llvm-omp-kernel-replay does it: the memory lay at Recorded then.
static void replayRecorded(uint64_t Size) {
  int Memory[N];
  for (int I = 0; I < N; ++I)
    Memory[I] = 10 * I;
  char *Recorded = (char *)0x200000000000;
  uint64_t Offset = 1;
  EXPECT(__tgt_activate_record_replay(0, Size, Recorded, 0, 1, &Offset) == 0);
  void *Args[2] = {NULL, Recorded - Offset};
  ptrdiff_t Offsets[2] = {0, 0};
  EXPECT(__tgt_target_kernel_replay(NULL, 0, kernel()->Address, Memory,
                                    sizeof(Memory), Args, Offsets, 2, 1, 1,
                                    N) == 0);
  char Name[512];
  snprintf(Name, sizeof(Name), "%s.replay.output", kernel()->Name);
  FILE *Output = fopen(Name, "rb");
  EXPECT(Output != NULL);
  int Saved[N + 1];
  EXPECT(fread(Saved, sizeof(int), N + 1, Output) == N);
  fclose(Output);
  for (int I = 0; I < N; ++I)
    EXPECT(Saved[I] == 10 * I + 1);
}

int main(int argc, char **argv) {
  expectDevices();
  const char *What = argv[1];
  if (!strcmp(What, "own")) {
    replayOwn();
  } else if (!strcmp(What, "recorded")) {
    replayRecorded(N * sizeof(int));
    // Again, into a new block.
    replayRecorded(2 * N * sizeof(int));
  } else if (!strcmp(What, "short")) {
    replayRecorded(N * sizeof(int) / 2);
  } else {
    uint64_t Offset = 0;
    EXPECT(__tgt_activate_record_replay(0, 1 << 20, NULL, 1, 0, &Offset) == 0);
  }
  return 0;
}
