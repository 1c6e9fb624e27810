// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host memory stays usable while it is pinned, mapped or not.
// RUN: %clang %s -o %t
// RUN: %run %t

#include "Inputs/expect.h"

void *llvm_omp_target_lock_mem(void *, size_t, int);
void llvm_omp_target_unlock_mem(void *, int);
void *llvm_omp_target_dynamic_shared_alloc(void);

int main(void) {
  expectDevices();
  enum { N = 5000 };
  int *A = malloc(N * sizeof(int));
  for (int I = 0; I < N; ++I)
    A[I] = I;
  for (int D = 0; D < omp_get_num_devices(); ++D) {
    int *Locked = llvm_omp_target_lock_mem(A, N * sizeof(int), D);
    EXPECT(Locked != NULL);
#pragma omp target teams distribute parallel for map(tofrom : A[0 : N])        \
    device(D)
    for (int I = 0; I < N; ++I)
      A[I] += 1;
    // The device uses it in place.
#pragma omp target teams distribute parallel for is_device_ptr(Locked) device(D)
    for (int I = 0; I < N; ++I)
      Locked[I] += 1;
    for (int I = 0; I < N; ++I)
      EXPECT(A[I] == I + 2 * D + 2);
    llvm_omp_target_unlock_mem(A, D);
  }
  EXPECT(llvm_omp_target_lock_mem(A, 0, 0) == NULL);
  // There is none on the host.
  EXPECT(llvm_omp_target_dynamic_shared_alloc() == NULL);
  free(A);
  return 0;
}
