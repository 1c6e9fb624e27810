// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 'wait' alone is for the current device.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  static double a[1000];
#pragma acc enter data create(a) deviceid(2)
#pragma acc parallel loop present(a) deviceid(2)
  for (int i = 0; i < 1000; ++i)
    a[i] = i;
#pragma acc exit data copyout(a) deviceid(2)
#pragma acc wait
// CHECK: deviceid-wait-current.c:[[@LINE+1]]:{{.*}}'a' is used on the host here, {{.*}} add '#pragma acc wait device(2)' in between
  printf("%g\n", a[999]);
}
