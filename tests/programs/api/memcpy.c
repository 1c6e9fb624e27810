// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between every pair of devices, the host among them, with offsets.
// RUN: %clang %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s
// RUN: %run ACCX_HOST_UNIFIED=1 %t 2>&1 | FileCheck %s
// Devices of two plugins with queues that run on their own: what goes between
// them goes through the host.
// RUN: cp %accx_lib/libaccx.rtl.host.so %t.base.so
// RUN: %run LIBOMPTARGET_PLUGIN=host:%accx_lib/test-plugins/libaccx.rtl.fault.so \
// RUN:   ACCX_FAULT_BASE=%t.base.so ACCX_FAULT_OPTIONS=async %t 2>&1 | FileCheck %s

// CHECK: omptarget error: Call to omp_target_memcpy with invalid arguments
// CHECK-NEXT: omptarget error: Call to omp_target_memcpy with invalid arguments
// CHECK-NOT: omptarget
// CHECK: done

#include "Inputs/expect.h"

// More than the runtime copies through the host in one piece.
enum { N = 3 << 19 };

int main(void) {
  expectDevices();
  const int Host = omp_get_initial_device();
  int *Values = malloc(N * sizeof(int)), *Back = malloc(N * sizeof(int));
  for (int I = 0; I < N; ++I)
    Values[I] = 5 * I + 1;

  for (int From = 0; From <= Host; ++From)
    for (int To = 0; To <= Host; ++To) {
      int *Src = omp_target_alloc(N * sizeof(int), From);
      int *Dst = omp_target_alloc(N * sizeof(int), To);
      EXPECT(omp_target_memcpy(Src, Values, N * sizeof(int), 0, 0, From,
                               Host) == 0);
      EXPECT(omp_target_memset(Dst, 0, N * sizeof(int), To) == Dst);
      // Elements 100.. go to 10...
      EXPECT(omp_target_memcpy(Dst, Src, (N - 200) * sizeof(int),
                               10 * sizeof(int), 100 * sizeof(int), To,
                               From) == 0);
      EXPECT(omp_target_memcpy(Back, Dst, N * sizeof(int), 0, 0, Host, To) ==
             0);
      for (int I = 0; I < N; ++I)
        EXPECT(Back[I] == (I >= 10 && I < N - 190 ? Values[I + 90] : 0));
      omp_target_free(Src, From);
      omp_target_free(Dst, To);
    }

  EXPECT(omp_target_memcpy(NULL, Values, 4, 0, 0, 0, Host) != 0);
  EXPECT(omp_target_memcpy(Values, NULL, 4, 0, 0, Host, 0) != 0);
  EXPECT(omp_target_memcpy(NULL, NULL, 0, 0, 0, Host, 0) == 0);
  free(Values);
  free(Back);
  fprintf(stderr, "done\n");
  return 0;
}
