// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routines name the same devices when constructs stay on the host.
// RUN: %clang %s -o %t
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t

#include "Inputs/expect.h"

int main(void) {
  const int Host = omp_get_initial_device();
  int Here = 0, X = 5, Y = 0;
#pragma omp target map(from : Here)
  Here = omp_is_initial_device();
  EXPECT(Here);
  EXPECT(Host == omp_get_num_devices());
  if (Host > 0) {
    int *P = omp_target_alloc(sizeof(int), 0);
    EXPECT(P != NULL);
    EXPECT(omp_target_memcpy(P, &X, sizeof(int), 0, 0, 0, Host) == 0);
    EXPECT(omp_target_memcpy(&Y, P, sizeof(int), 0, 0, Host, 0) == 0);
    EXPECT(Y == 5);
    omp_target_free(P, 0);
  }
  return 0;
}
