// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices that do not reach one another's memory: arrays are on the first one
// alone, the program is told once, and a shortage that idle memory ends is no
// failure.
//
// RUN: %clang -O2 -I%accx_include %s -o %t
// RUN: env ACCX_HOST_DEVICES=3 LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=no_spread %run %t 1 2>&1 | FileCheck %s --check-prefix=CHECK-APART
// RUN: env ACCX_HOST_DEVICES=3 LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async ACCX_FAULT=spread_alloc:1 %run %t 3 2>&1 | FileCheck %s --check-prefix=CHECK-SHORT

#include <accx/devices.h>
#include <accx/spread.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define NAME ";field;apart.c;10;3;;"
#define PLACE ";apart.c;main;20;1;;"
static int Field[3 << 18], Other[4096];

// CHECK-APART: apart.c:20:1: spread(field): devices 0, 1 and 2 share no memory: these devices are apart; such arrays are on the first device alone
// CHECK-APART-NOT: share no memory
// CHECK-APART: owners 1, wrong 0
// CHECK-SHORT-NOT: memory
// CHECK-SHORT: owners 3, wrong 0
int main(int Count, char **Args) {
  const int N = 3 << 18;
  for (int I = 0; I < N; ++I)
    Field[I] = I;
  __accx_spread_enter(Field, sizeof(Field), NULL, -1, 0, 0, NAME, PLACE);
  __accx_spread_enter(Other, sizeof(Other), NULL, -1, 0, 0, NAME, PLACE);
  int Last = accx_owner_of(&Field[N - 1]);
#pragma omp target teams distribute parallel for device(0)                     \
    map(present, tofrom : Field[0 : N])
  for (int I = 0; I < N; ++I)
    Field[I] *= 2;
  __accx_spread_exit(Other, sizeof(Other), NAME, PLACE);
  __accx_spread_exit(Field, sizeof(Field), NAME, PLACE);
  int Wrong = 0;
  for (int I = 0; I < N; ++I)
    Wrong += Field[I] != 2 * I;
  printf("owners %d, wrong %d\n", Last + 1, Wrong);
  return Last + 1 != atoi(Args[1]) || Count != 2;
}
