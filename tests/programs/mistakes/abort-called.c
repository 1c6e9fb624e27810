// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// abort() in a kernel.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  double a[10] = {0};
// CHECK: accx: device 0: the program was aborted in the kernel of {{.*}}abort-called.c:[[@LINE+1]], function main
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 10; ++i) {
    if (a[i] == 0)
      abort();
    a[i] = 1 / a[i];
  }
  printf("%g\n", a[5]);
}
