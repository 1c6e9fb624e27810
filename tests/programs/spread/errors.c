// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cannot be spread ends the program with the place, the variable and the
// device; a device that is lost while an array comes back says that the host's
// data is not whole. Nothing hangs.
//
// RUN: %clang -O2 -I%accx_include %s -o %t
// RUN: env ACCX_HOST_DEVICES=3 not --crash %run %t overlap 2>&1 | FileCheck %s --check-prefix=CHECK-OVERLAP
// RUN: env ACCX_HOST_DEVICES=3 not --crash %run %t mapped 2>&1 | FileCheck %s --check-prefix=CHECK-MAPPED
// RUN: env ACCX_HOST_DEVICES=3 not --crash %run %t exit 2>&1 | FileCheck %s --check-prefix=CHECK-EXIT
// RUN: env ACCX_HOST_DEVICES=3 not --crash %run %t part 2>&1 | FileCheck %s --check-prefix=CHECK-PART
// RUN: env ACCX_HOST_DEVICES=3 not --crash %run %t number 2>&1 | FileCheck %s --check-prefix=CHECK-NUMBER
// RUN: env ACCX_HOST_DEVICES=3 not --crash %run %t twice 2>&1 | FileCheck %s --check-prefix=CHECK-TWICE
// RUN: env ACCX_HOST_DEVICES=3 ACCX_HOST_MEMORY=8M not --crash %run %t memory 2>&1 | FileCheck %s --check-prefix=CHECK-MEMORY
// RUN: env ACCX_HOST_DEVICES=3 LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT=copy_to@1:1 not --crash %run %t none 2>&1 | FileCheck %s --check-prefix=CHECK-IN
// RUN: env ACCX_HOST_DEVICES=3 LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT=copy_from@2:1 not --crash %run %t none 2>&1 | FileCheck %s --check-prefix=CHECK-BACK
// RUN: env ACCX_HOST_DEVICES=3 LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async ACCX_FAULT=lost@2:2 not --crash %run %t none 2>&1 | FileCheck %s --check-prefix=CHECK-LOST
// RUN: env ACCX_HOST_DEVICES=3 LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT=spread_alloc:1+ not --crash %run %t none 2>&1 | FileCheck %s --check-prefix=CHECK-ALLOC

#include <accx/devices.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME ";field;errors.c;10;3;;"
#define PLACE(Line) ";errors.c;main;" #Line ";1;;"
static float Field[3 << 18];
static int Is(const char *What, char **Args) { return !strcmp(Args[1], What); }

int main(int Count, char **Args) {
  const int Wrong[] = {0, 7}, Same[] = {1, 1};
  const long Bytes = sizeof(Field);
  (void)Count;
  if (Is("mapped", Args)) {
#pragma omp target enter data map(to : Field[100 : 10]) device(2)
  }
  if (Is("memory", Args))
    if (!omp_target_alloc((8 << 20) - 4096, 1))
      return 0;
  if (Is("number", Args))
    __accx_spread_enter(Field, Bytes, Wrong, 2, 0, 0, NAME, PLACE(19));
  // CHECK-NUMBER: errors.c:19:1: spread(field): there is no device 7, only 0 to 2
  if (Is("twice", Args))
    __accx_spread_enter(Field, Bytes, Same, 2, 0, 0, NAME, PLACE(18));
  // CHECK-TWICE: errors.c:18:1: spread(field): device 1 is listed twice
  __accx_spread_enter(Field, Bytes, NULL, -1, 0, 0, NAME, PLACE(20));
  // CHECK-MAPPED: errors.c:20:1: spread(field): it is in part on device 2 already
  // CHECK-MEMORY: errors.c:20:1: spread(field): device 1 has 4096 bytes free and is to hold 1048576: cannot spread
  // CHECK-IN: errors.c:20:1: spread(field): copying it in failed: device 1: {{.*}}copy_to
  // CHECK-ALLOC: errors.c:20:1: spread(field): {{.*}}spread_alloc
  if (Is("overlap", Args))
    __accx_spread_enter(Field + 8, Bytes, NULL, -1, 0, 0, NAME, PLACE(21));
  // CHECK-OVERLAP: errors.c:21:1: spread(field): 3145728 bytes at 0x{{[0-9a-f]+}} overlap 'field', 3145728 bytes at 0x{{[0-9a-f]+}}, spread at errors.c:20:1
  if (Is("part", Args))
    __accx_spread_exit(Field, 64, NAME, PLACE(22));
  // CHECK-PART: errors.c:22:1: exit spread(field): 64 bytes at {{.*}} are not all of 'field'
  __accx_spread_exit(Field, Bytes, NAME, PLACE(23));
  // CHECK-BACK: errors.c:23:1: exit spread(field): copying it back failed: device 2: {{.*}}copy_from{{.*}}; the host's data of 'field' is incomplete
  // CHECK-LOST: errors.c:23:1: exit spread(field): copying it back failed: device 2: {{.*}}; the host's data of 'field' is incomplete
  if (Is("exit", Args))
    __accx_spread_exit(Field, Bytes, NAME, PLACE(24));
  // CHECK-EXIT: errors.c:24:1: exit spread(field): it is not spread
  return 0;
}
