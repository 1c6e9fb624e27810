// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a data construct on a device copies at its end is queued.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  static double a[1000];
#pragma acc data copy(a) deviceid(1)
  {
#pragma acc parallel loop deviceid(1)
  for (int i = 0; i < 1000; ++i)
    a[i] = i;
  }
// CHECK: deviceid-read-early.c:[[@LINE+1]]:{{.*}}'a' is used on the host here, {{.*}} add '#pragma acc wait device(1)' in between
  printf("%g\n", a[999]);
#pragma acc wait device(1)
}
