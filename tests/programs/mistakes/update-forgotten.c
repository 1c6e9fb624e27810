// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host reads an array that the device has written.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  static double a[1000];
#pragma acc data copy(a)
  {
#pragma acc parallel loop present(a)
    for (int i = 0; i < 1000; ++i)
      a[i] = i;
    // CHECK: update-forgotten.c:[[@LINE+1]]:{{.*}}'a' is read on the host here, but line {{[0-9]+}} wrote the device's copy
    printf("%g\n", a[5]);
  }
}
