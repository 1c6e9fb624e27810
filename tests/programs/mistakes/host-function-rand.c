// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers of the C library in a kernel.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
static double a[1000];
int main(void) {
#pragma acc parallel loop copy(a)
// CHECK: host-function-rand.c:[[@LINE+1]]:{{.*}}'rand' is called in code for a device
  for (int i = 0; i < 1000; ++i) a[i] = rand();
  printf("%g\n", a[5]);
}
