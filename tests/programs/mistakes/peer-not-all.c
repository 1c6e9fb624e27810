// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of different lengths.
// RUN: not %accxcc -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  static double a[10], b[10];
// CHECK: peer-not-all.c:[[@LINE+1]]:{{.*}}'from' names 1, 'to' names 2
#pragma acc update peer to(a, b) to_device(1) from(a) from_device(0)
  printf("%g %g\n", a[9], b[9]);
}
