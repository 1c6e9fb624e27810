// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a routine does when the device cannot: idle memory is given back and the
// call tried again, else the failure is returned; where nothing can be
// returned, the program ends.
// RUN: %clang %s -o %t
// DEFINE: %{fault} = %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT
// RUN: %{fault}=alloc:1 %t alloc 2>&1 | FileCheck %s --check-prefix=CHECK-AGAIN
// RUN: %{fault}=alloc:1+ %t no-alloc 2>&1 | FileCheck %s --check-prefix=CHECK-NONE
// RUN: %{fault}=copy_to:1 %t to 2>&1 | FileCheck %s --check-prefix=CHECK-TO
// RUN: %{fault}=copy_from:1 %t from 2>&1 | FileCheck %s --check-prefix=CHECK-FROM
// RUN: %{fault}=copy_peer:1 %t peer 2>&1 | FileCheck %s --check-prefix=CHECK-PEER
// RUN: %{fault}=copy_to:3 %t rect 2>&1 | FileCheck %s --check-prefix=CHECK-RECT
// RUN: %{fault}=copy_to:1 not --crash %t async 2>&1 | FileCheck %s --check-prefix=CHECK-ASYNC
// RUN: %{fault}=copy_to:1 not --crash %t rect-async 2>&1 | FileCheck %s --check-prefix=CHECK-RECT-ASYNC
// RUN: %{fault}=fill:1 not --crash %t memset 2>&1 | FileCheck %s --check-prefix=CHECK-MEMSET
// RUN: %{fault}=free:1 not --crash %t free 2>&1 | FileCheck %s --check-prefix=CHECK-FREE
// RUN: %{fault}=pin:1 %t lock 2>&1 | FileCheck %s --check-prefix=CHECK-LOCK

// CHECK-AGAIN-NOT: omptarget
// CHECK-AGAIN: done
// CHECK-NONE: omptarget error: Failure to allocate device memory: {{.+}}
// CHECK-NONE: done
// CHECK-TO: omptarget error: Call to omp_target_memcpy failed: {{.+}}
// CHECK-TO: done
// CHECK-FROM: omptarget error: Call to omp_target_memcpy failed: {{.+}}
// CHECK-FROM: done
// CHECK-PEER: omptarget error: Call to omp_target_memcpy failed: {{.+}}
// CHECK-PEER: done
// CHECK-RECT: omptarget error: Call to omp_target_memcpy_rect failed: {{.+}}
// CHECK-RECT: done
// CHECK-ASYNC: omptarget fatal error 1: omp_target_memcpy_async from device 4 to device 0: {{.+}}
// CHECK-RECT-ASYNC: omptarget fatal error 1: omp_target_memcpy_rect_async from device 4 to device 0: {{.+}}
// CHECK-MEMSET: omptarget fatal error 1: omp_target_memset of 64 bytes at {{.+}} on device 0: {{.+}}
// CHECK-FREE: omptarget error: Failure to deallocate device pointer {{.+}}
// CHECK-FREE: omptarget fatal error 0: Failed to deallocate device ptr
// CHECK-LOCK: omptarget error: Failure to lock memory {{.+}}
// CHECK-LOCK: done

#include "Inputs/expect.h"
#include <string.h>

void *llvm_omp_target_lock_mem(void *, size_t, int);

enum { N = 16 };

int main(int argc, char **argv) {
  const char *What = argv[1];
  int A[N] = {0};
  expectDevices();
  const int Host = omp_get_initial_device();
  EXPECT(Host == 4);
  int *P = omp_target_alloc(sizeof(A), 0);
  if (!strcmp(What, "no-alloc")) {
    EXPECT(P == NULL);
    fprintf(stderr, "done\n");
    return 0;
  }
  EXPECT(P != NULL);
  const size_t Volume[3] = {4, 1, 1}, Offsets[3] = {0, 0, 0},
               Dims[3] = {4, 2, 2};
  if (!strcmp(What, "to")) {
    EXPECT(omp_target_memcpy(P, A, sizeof(A), 0, 0, 0, Host) != 0);
  } else if (!strcmp(What, "from")) {
    EXPECT(omp_target_memcpy(A, P, sizeof(A), 0, 0, Host, 0) != 0);
  } else if (!strcmp(What, "peer")) {
    int *Q = omp_target_alloc(sizeof(A), 1);
    EXPECT(omp_target_memcpy(Q, P, sizeof(A), 0, 0, 1, 0) != 0);
    // Once more: nothing is left of the failure.
    EXPECT(omp_target_memcpy(Q, P, sizeof(A), 0, 0, 1, 0) == 0);
  } else if (!strcmp(What, "rect")) {
    // The third of several transfers.
    const size_t Parts[3] = {3, 2, 1}, Wide[3] = {3, 3, 3};
    char *Cube = omp_target_alloc(27, 0);
    for (int I = 0; I < 3; ++I)
      EXPECT((omp_target_memcpy_rect(Cube, A, 1, 3, Parts, Offsets, Offsets,
                                     Wide, Wide, 0, Host) != 0) == (I == 1));
  } else if (!strcmp(What, "async")) {
    omp_target_memcpy_async(P, A, sizeof(A), 0, 0, 0, Host, 0, NULL);
#pragma omp taskwait
  } else if (!strcmp(What, "rect-async")) {
    omp_target_memcpy_rect_async(P, A, sizeof(int), 3, Volume, Offsets, Offsets,
                                 Dims, Dims, 0, Host, 0, NULL);
#pragma omp taskwait
  } else if (!strcmp(What, "memset")) {
    omp_target_memset(P, 0, sizeof(A), 0);
  } else if (!strcmp(What, "free")) {
    omp_target_free(P, 0);
  } else if (!strcmp(What, "lock")) {
    EXPECT(llvm_omp_target_lock_mem(A, sizeof(A), 0) == NULL);
  } else {
    EXPECT(!strcmp(What, "alloc"));
  }
  fprintf(stderr, "done\n");
  return 0;
}
