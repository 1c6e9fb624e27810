// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every kind of memory can be used where its kind says, and memory that is not
// to be had is a null pointer and a message, not the end.
// RUN: %clang %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused %t 2>&1 | FileCheck %s

// CHECK: omptarget error: Failure to allocate device memory:
// CHECK-NOT: omptarget
// CHECK: done

#include "Inputs/expect.h"
#include <stdint.h>

void *llvm_omp_target_alloc_device(size_t, int);
void *llvm_omp_target_alloc_host(size_t, int);
void *llvm_omp_target_alloc_shared(size_t, int);
void llvm_omp_target_free_device(void *, int);
void llvm_omp_target_free_host(void *, int);
void llvm_omp_target_free_shared(void *, int);

enum { N = 1000 };

static void fillOnDevice(int *P, int D) {
#pragma omp target teams distribute parallel for is_device_ptr(P) device(D)
  for (int I = 0; I < N; ++I)
    P[I] = 3 * I + D;
}

static void expectOnHost(const int *P, int D) {
  for (int I = 0; I < N; ++I)
    EXPECT(P[I] == 3 * I + D);
}

static void useFromDevice(int *P, int D) {
  int Host[N];
  EXPECT(P != NULL);
  fillOnDevice(P, D);
  EXPECT(omp_target_memcpy(Host, P, sizeof(Host), 0, 0,
                           omp_get_initial_device(), D) == 0);
  expectOnHost(Host, D);
}

int main(void) {
  expectDevices();
  const size_t Bytes = N * sizeof(int);
  for (int D = 0; D < omp_get_num_devices(); ++D) {
    int *P = omp_target_alloc(Bytes, D);
    useFromDevice(P, D);
    omp_target_free(P, D);

    P = llvm_omp_target_alloc_device(Bytes, D);
    useFromDevice(P, D);
    llvm_omp_target_free_device(P, D);

    P = llvm_omp_target_alloc_shared(Bytes, D);
    EXPECT(P != NULL);
    P[0] = 7; // The host may use it, too.
    fillOnDevice(P, D);
    expectOnHost(P, D);
    llvm_omp_target_free_shared(P, D);

    P = llvm_omp_target_alloc_host(Bytes, D);
    EXPECT(P != NULL);
    for (int I = 0; I < N; ++I)
      P[I] = 3 * I + D;
#pragma omp target teams distribute parallel for map(tofrom : P[0 : N])        \
    device(D)
    for (int I = 0; I < N; ++I)
      P[I] += 1;
    for (int I = 0; I < N; ++I)
      EXPECT(P[I] == 3 * I + D + 1);
    llvm_omp_target_free_host(P, D);
  }

  const int Host = omp_get_initial_device();
  int *P = omp_target_alloc(Bytes, Host);
  EXPECT(P != NULL);
  P[N - 1] = 1;
  omp_target_free(P, Host);

  EXPECT(omp_target_alloc(0, 0) == NULL);
  omp_target_free(NULL, 0);
  EXPECT(omp_target_alloc((size_t)1 << 62, 0) == NULL);

  // The device is as good as before.
  P = omp_target_alloc(Bytes, 0);
  useFromDevice(P, 0);
  omp_target_free(P, 0);
  fprintf(stderr, "done\n");
  return 0;
}
