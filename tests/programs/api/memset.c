// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills of device and host memory, at once and as tasks.
// RUN: %clang %s -o %t
// RUN: %run %t
// RUN: %run LIBOMP_USE_HIDDEN_HELPER_TASK=0 %t
// RUN: %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so \
// RUN:   ACCX_FAULT_OPTIONS=async %t

#include "Inputs/expect.h"
#include <string.h>

enum { N = 4096 };

/// Bytes [Begin, End) hold \p Value, all others 9.
static void expectFilled(const unsigned char *P, int Begin, int End, int Value,
                         int Device) {
  unsigned char Host[N];
  EXPECT(omp_target_memcpy(Host, P, N, 0, 0, omp_get_initial_device(),
                           Device) == 0);
  for (int I = 0; I < N; ++I)
    EXPECT(Host[I] == (I >= Begin && I < End ? Value : 9));
}

int main(void) {
  expectDevices();
  for (int D = 0; D <= omp_get_num_devices(); ++D) {
    unsigned char *P = omp_target_alloc(N, D);
    EXPECT(P != NULL);
    EXPECT(omp_target_memset(P, 9, N, D) == P);
    expectFilled(P, 0, 0, 0, D);
    // Odd places, and a value of which only the low byte counts.
    EXPECT(omp_target_memset(P + 13, 0x1ab, 1001, D) == P + 13);
    expectFilled(P, 13, 1014, 0xab, D);
    EXPECT(omp_target_memset(P, 5, 0, D) == P);
    expectFilled(P, 13, 1014, 0xab, D);

    omp_target_memset(P, 9, N, D);
    EXPECT(omp_target_memset_async(P + 100, 4, 50, D, 0, NULL) == P + 100);
#pragma omp taskwait
    expectFilled(P, 100, 150, 4, D);

    // In the order that the dependences ask for.
    omp_depend_t Order;
#pragma omp depobj(Order) depend(inout : P)
    omp_target_memset_async(P, 1, N, D, 1, &Order);
    omp_target_memset_async(P, 9, N, D, 1, &Order);
    omp_target_memset_async(P + 7, 2, 8, D, 1, &Order);
#pragma omp taskwait
    expectFilled(P, 7, 15, 2, D);
#pragma omp depobj(Order) destroy
    omp_target_free(P, D);
  }
  EXPECT(omp_target_memset(NULL, 1, 10, 0) == NULL);
  EXPECT(omp_target_memset_async(NULL, 1, 10, 0, 0, NULL) == NULL);
  return 0;
}
