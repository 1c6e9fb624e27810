// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// update in the wrong direction.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
static double a[1000];
int main(void) {
#pragma acc data create(a)
  {
#pragma acc parallel loop
    for (int i = 0; i < 1000; ++i) a[i] = i;
#pragma acc update device(a)
// CHECK: update-direction.c:[[@LINE+1]]:{{.*}}'a' is read on the host here, but 'update device' in line {{[0-9]+}} overwrites what line {{[0-9]+}} wrote on the device
    printf("%g\n", a[5]);
  }
}
