// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wait inside a kernel.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <openacc.h>
#include <stdio.h>
static double a[1000];
int main(void) {
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 1000; ++i) {
    a[i] = i;
// CHECK: wait-in-kernel.c:[[@LINE+1]]:{{.*}}'wait' may not stand in a 'parallel' construct
#pragma acc wait
  }
  printf("%g\n", a[5]);
}
