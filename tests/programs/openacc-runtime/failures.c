// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What goes wrong ends the program with a message that names the routine or the
// construct, at the latest at the next wait.

// RUN: %clang -g %s -o %t
// RUN: %run not --crash %t update 2>&1 | FileCheck %s --check-prefix=UPDATE
// UPDATE: acc_update_self: 40 bytes at 0x{{[0-9a-f]+}} on device 0:
// UPDATE-SAME: not present
// RUN: %run not --crash %t present 2>&1 | FileCheck %s --check-prefix=PRESENT
// PRESENT: failures.c:[[#REGION:]]:
// RUN: %run not --crash %t map 2>&1 | FileCheck %s --check-prefix=MAP
// MAP: acc_map_data: data at 0x{{[0-9a-f]+}} is already present on device 0
// RUN: %run not --crash %t unmap 2>&1 | FileCheck %s --check-prefix=UNMAP
// UNMAP: acc_unmap_data: nothing is associated with 0x
// RUN: %run not --crash %t twice 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: acc_map_data: device memory at 0x{{[0-9a-f]+}} already stands for data
// RUN: %run not --crash %t used 2>&1 | FileCheck %s --check-prefix=USED
// USED: acc_free: device memory at 0x{{[0-9a-f]+}} still stands for data at 0x
// RUN: %run %t unused
// RUN: %run not --crash %t async 2>&1 | FileCheck %s --check-prefix=ASYNC
// ASYNC: acc_wait: -7 is neither a queue's number nor one of acc_async_*
// RUN: %run not --crash %t d2d 2>&1 | FileCheck %s --check-prefix=D2D
// D2D: acc_memcpy_d2d: 40 bytes at 0x{{[0-9a-f]+}} are not present on device 1
// RUN: %run not --crash %t free 2>&1 | FileCheck %s --check-prefix=FREE
// FREE: acc_free:
// RUN: %run not --crash %t null 2>&1 | FileCheck %s --check-prefix=NULL
// NULL: acc_memcpy_to_device: 8 bytes from {{.*}} to
// RUN: env ACCX_HOST_MEMORY=64M %run not --crash %t memory 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MEMORY
// MEMORY: acc_create_async: 1073741824 bytes at 0x{{[0-9a-f]+}} on device 0:
// RUN: env ACCX_HOST_MEMORY=64M %run %t malloc

#include <accx/async.h>
#include <openacc.h>
#include <stdlib.h>
#include <string.h>

int main(int Count, char **Argv) {
  int A[10] = {0}, B[10] = {0};
  (void)Count;
  const char *What = Argv[1];
  if (!strcmp(What, "update"))
    acc_update_self(A, sizeof(A));
  if (!strcmp(What, "present")) {
    __accx_async_begin(1);
#pragma omp target map(present, alloc : A)
    A[0] = 1;
    __accx_async_end();
    acc_wait(1);
  }
  if (!strcmp(What, "map")) {
    acc_create(A + 9, sizeof(int));
    acc_map_data(A, acc_malloc(sizeof(A)), sizeof(A));
  }
  if (!strcmp(What, "unmap")) {
    acc_create(A, sizeof(A));
    acc_unmap_data(A);
  }
  if (!strcmp(What, "twice") || !strcmp(What, "used") ||
      !strcmp(What, "unused")) {
    char *OnDevice = acc_malloc(2 * sizeof(A));
    acc_map_data(A, OnDevice, sizeof(A));
    if (!strcmp(What, "twice"))
      acc_map_data(B, OnDevice + sizeof(A) - 1, sizeof(B));
    // What lies beside it is free, and so is all in the end.
    acc_map_data(B, OnDevice + sizeof(A), sizeof(B));
    if (!strcmp(What, "used"))
      acc_free(OnDevice);
    acc_unmap_data(A);
    acc_unmap_data(B);
    acc_free(OnDevice);
    return 0;
  }
  if (!strcmp(What, "async"))
    acc_wait(-7);
  if (!strcmp(What, "d2d")) {
    acc_copyin(B, sizeof(B));
    acc_memcpy_d2d(A, B, sizeof(A), 1, 0);
  }
  if (!strcmp(What, "free"))
    acc_free(A);
  if (!strcmp(What, "null"))
    acc_memcpy_to_device(NULL, A, 8);
  if (!strcmp(What, "memory"))
    acc_create_async(malloc((size_t)1 << 30), (size_t)1 << 30, 1);
  if (!strcmp(What, "malloc"))
    return acc_malloc((size_t)1 << 30) != NULL;
  return 0;
}
