// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry points of spread arrays: present on every device at one address,
// right from each of them, and back on the host.
//
// RUN: %clang -O2 -I%accx_include %s -o %t
// RUN: env ACCX_HOST_DEVICES=1 %run %t 1
// RUN: env ACCX_HOST_DEVICES=2 %run %t 2
// RUN: env ACCX_HOST_DEVICES=3 %run %t 3
// RUN: env ACCX_HOST_DEVICES=4 %run %t 4
// RUN: env ACCX_HOST_DEVICES=8 %run %t 8
// RUN: env ACCX_HOST_DEVICES=3 LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async %run %t 3
// RUN: env ACCX_HOST_DEVICES=3 ACCX_HOST_UNIFIED=1 %run %t 3

#include <accx/devices.h>
#include <accx/spread.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(Condition)                                                       \
  do                                                                           \
    if (!(Condition)) {                                                        \
      printf("%s:%d: %s (%ld elements, block %ld)\n", __FILE__, __LINE__,      \
             #Condition, N, Block);                                            \
      exit(1);                                                                 \
    }                                                                          \
  while (0)

static const char Name[] = ";a;entries.c;10;3;;";
static const char Place[] = ";entries.c;main;20;1;;";
static int Devices, Shared;

static void enter(void *Data, long Bytes, long Block, unsigned Flags) {
  __accx_spread_enter(Data, Bytes, NULL, -1, Block, Flags, Name, Place);
}
static void leave(void *Data, long Bytes) {
  __accx_spread_exit(Data, Bytes, Name, Place);
}

/// Every device adds to all of the array, one after the other.
static void addEverywhere(long *A, long N) {
  for (int D = 0; D < Devices; ++D)
#pragma omp target teams distribute parallel for device(D)                     \
    map(present, tofrom : A[0 : N])
    for (long I = 0; I < N; ++I)
      A[I] += I + D;
}

static void spread(long N, long Block) {
  const long Bytes = N * sizeof(long);
  long *A = malloc(Bytes + 64);
  for (long I = 0; I < N; ++I)
    A[I] = 3 * I;
  enter(A, Bytes, Block * sizeof(long), 0);
  enter(A, Bytes, Block * sizeof(long), 0); // counts
  leave(A, Bytes);

  const int Last = Devices - 1;
  for (int D = 0; D < Devices && !Shared; ++D) {
    CHECK(omp_target_is_present(A, D));
    CHECK(omp_get_mapped_ptr(A + N / 2, D) == omp_get_mapped_ptr(A + N / 2, 0));
  }
  // Owners: those of host and device addresses are the same, in turns.
  int Owner = accx_owner_of(A), Changes = 0;
  for (long I = 0; I < N; I += 1 + N / 20000) {
    const int Now = accx_owner_of(&A[I]);
    CHECK(Now >= 0 && Now < Devices);
    if (!Shared)
      CHECK(accx_owner_of(omp_get_mapped_ptr(&A[I], Last)) == Now);
    CHECK(Now == Owner || Now == (Owner + 1) % Devices || !Block);
    Changes += Now != Owner;
    Owner = Now;
  }
  // Pages of GPUs are large.
  const long Least = 1 << 19;
  if (N / Devices >= (Block > Least ? Block : Least))
    CHECK(Changes >= Devices - 1);
  CHECK(accx_owner_of(A + N) == -1 && accx_owner_of(&N) == -1);

  addEverywhere(A, N);
  // Updates of parts, from and to, on any device.
  const long Lo = N / 3, Len = N / 2;
  if (!Shared)
    CHECK(N < 4 || A[N - 1] == 3 * (N - 1));
#pragma omp target update from(A[Lo : Len]) device(Last)
  const long Ds = (long)Devices * (Devices - 1) / 2;
  for (long I = Lo; I < Lo + Len; ++I)
    CHECK(A[I] == 3 * I + Devices * I + Ds);
  for (long I = Lo; I < Lo + Len; ++I)
    A[I] = -I;
#pragma omp target update to(A[Lo : Len]) device(0)

  // Copies of device addresses, from one device's part to another's.
  long *W = Shared ? A : omp_get_mapped_ptr(A, 0), *Back = malloc(Bytes + 64);
  CHECK(
      !omp_target_memcpy(Back, W, Bytes, 0, 0, omp_get_initial_device(), Last));
  for (long I = 0; I < N; ++I)
    CHECK(Back[I] == (I >= Lo && I < Lo + Len ? -I : 3 * I + Devices * I + Ds));
  CHECK(!omp_target_memcpy(W, W, Bytes / 2 & ~7, (N - N / 2) * 8, 0, 0, Last));
  CHECK(!omp_target_memcpy(A, W, Bytes, 0, 0, omp_get_initial_device(), 0));
  for (long I = 0; I < N / 2; ++I)
    CHECK(A[N - N / 2 + I] == Back[I]);
  const size_t Half = N / 2, Volume[] = {2, Half / 2}, Zero[] = {0, 0},
               Shape[] = {2, Half};
  if (Half / 2) {
    CHECK(!omp_target_memcpy_rect(W, Back, 8, 2, Volume, Zero, Zero, Shape,
                                  Shape, Last, omp_get_initial_device()));
    if (!Shared)
      memset(A, 0, Bytes);
    CHECK(!omp_target_memcpy_rect(A, W, 8, 2, Volume, Zero, Zero, Shape, Shape,
                                  omp_get_initial_device(), 0));
    for (size_t I = 0; I < Half / 2; ++I)
      CHECK(A[I] == Back[I] && A[Half + I] == Back[Half + I]);
  }

  // A region maps a part on one device; it stays what it is.
#pragma omp target map(tofrom : A[Lo : Len]) device(Last)
  for (long I = Lo; I < Lo + Len; ++I)
    A[I] = 7 * I;
  leave(A, Bytes);
  for (long I = Lo; I < Lo + Len; ++I)
    CHECK(A[I] == 7 * I);
  CHECK(accx_owner_of(A) == -1);
  if (!Shared)
    for (int D = 0; D < Devices; ++D)
      CHECK(!omp_target_is_present(A, D));
  free(A);
  free(Back);
}

static void replicate(long N) {
  const long Block = 0, Bytes = N * sizeof(long);
  long *A = malloc(Bytes), Wrong = 0;
  for (long I = 0; I < N; ++I)
    A[I] = I;
  enter(A, Bytes, 0, ACCX_SPREAD_REPLICATE);
  CHECK(accx_owner_of(A) == 0);
  for (int D = 0; D < Devices && !Shared; ++D) {
    CHECK(accx_owner_of(omp_get_mapped_ptr(A + N - 1, D)) == D);
    CHECK(D == 0 || omp_get_mapped_ptr(A, D) != omp_get_mapped_ptr(A, 0));
  }
  for (long I = 0; I < N; ++I)
    A[I] = 5 * I;
  // Reaches every copy.
#pragma omp target update to(A[N / 3 : N / 2]) device(Devices - 1)
  for (int D = 0; D < Devices; ++D)
#pragma omp target map(present, to : A[0 : N]) map(tofrom : Wrong) device(D)
    for (long I = 0; I < N; ++I)
      Wrong += A[I] != (I >= N / 3 && I < N / 3 + N / 2 ? 5 * I : I);
  CHECK(!Wrong || Shared);
  leave(A, Bytes);
  free(A);
}

int main(int ArgCount, char **Args) {
  long N = 0, Block = 0;
  Devices = omp_get_num_devices();
  const char *Unified = getenv("ACCX_HOST_UNIFIED");
  Shared = Unified && Unified[0] == '1';
  CHECK(ArgCount < 2 || Devices == atoi(Args[1]));
  enter(&N, 0, 0, 0);
  leave(&N, 0);
  const long Sizes[] = {1, 5, 511, 512, 513, 4096, 20001, 300007, 2000011};
  for (unsigned S = 0; S < sizeof(Sizes) / sizeof(*Sizes); ++S) {
    spread(Sizes[S], 0);
    spread(Sizes[S], 1);
    spread(Sizes[S], 1024);
    spread(Sizes[S], 1500);
    spread(Sizes[S], 1 << 20);
    replicate(Sizes[S]);
  }
  // Never taken back.
  static long Left[5000];
  enter(Left, sizeof(Left), 0, 0);
  return 0;
}
