// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// loop without a construct around it.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  double a[10] = {0};
// CHECK: loop-orphan.c:[[@LINE+1]]:{{.*}}this loop is in no compute construct
#pragma acc loop
  for (int i = 0; i < 10; ++i)
    a[i] += 1;
  printf("%g\n", a[5]);
}
