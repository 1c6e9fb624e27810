// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A routine that names a device that is not there ends the program, whatever
// OMP_TARGET_OFFLOAD says; a zero-length copy looks at no device.
// RUN: %clang %s -o %t
// RUN: %run not --crash %t alloc 2>&1 | FileCheck %s --check-prefix=CHECK-HIGH
// RUN: %run not --crash %t free 2>&1 | FileCheck %s --check-prefix=CHECK-HIGH
// RUN: %run not --crash %t present 2>&1 | FileCheck %s --check-prefix=CHECK-HIGH
// RUN: %run not --crash %t to 2>&1 | FileCheck %s --check-prefix=CHECK-HIGH
// RUN: %run not --crash %t from 2>&1 | FileCheck %s --check-prefix=CHECK-HIGH
// RUN: %run not --crash %t associate 2>&1 | FileCheck %s --check-prefix=CHECK-HIGH
// RUN: %run not --crash %t negative 2>&1 | FileCheck %s --check-prefix=CHECK-LOW
// RUN: env OMP_TARGET_OFFLOAD=DISABLED not --crash %t alloc 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-HIGH
// RUN: %run %t nothing 2>&1 | FileCheck %s --allow-empty --check-prefix=CHECK-NONE

// CHECK-HIGH: omptarget fatal error 77: Device number '77' out of range, only 4 devices available
// CHECK-LOW: omptarget fatal error -1: Device number '-1' out of range, only 4 devices available
// CHECK-NONE-NOT: omptarget

#include "Inputs/expect.h"
#include <string.h>

int main(int argc, char **argv) {
  expectDevices();
  const char *What = argv[1];
  const int Host = omp_get_initial_device();
  int X = 1, Y = 2;
  if (!strcmp(What, "alloc"))
    omp_target_alloc(8, 77);
  else if (!strcmp(What, "free"))
    omp_target_free(&X, 77);
  else if (!strcmp(What, "present"))
    omp_target_is_present(&X, 77);
  else if (!strcmp(What, "to"))
    omp_target_memcpy(&X, &Y, sizeof(X), 0, 0, 77, Host);
  else if (!strcmp(What, "from"))
    omp_target_memcpy(&X, &Y, sizeof(X), 0, 0, Host, 77);
  else if (!strcmp(What, "associate"))
    omp_target_associate_ptr(&X, &Y, sizeof(X), 0, 77);
  else if (!strcmp(What, "negative"))
    omp_target_is_present(&X, -1);
  else {
    EXPECT(!strcmp(What, "nothing"));
    EXPECT(omp_target_memcpy(&X, &Y, 0, 0, 0, 77, 77) == 0);
    EXPECT(omp_target_alloc(0, 77) == NULL);
    omp_target_free(NULL, 77);
    EXPECT(omp_target_memset(NULL, 1, 8, 77) == NULL);
    EXPECT(omp_target_is_present(NULL, 77) == 0);
    EXPECT(omp_get_mapped_ptr(&X, 77) == NULL);
  }
  return 0;
}
