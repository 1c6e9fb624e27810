// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel alone, where parallel loop was meant.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  double a[10] = {0};
// CHECK: parallel-without-loop.c:[[@LINE+1]]:{{.*}}'parallel' without 'loop': every gang runs all of the loop in line {{[0-9]+}}
#pragma acc parallel copy(a)
  for (int i = 0; i < 10; ++i)
    a[i] += 1;
  printf("%g\n", a[5]);
}
