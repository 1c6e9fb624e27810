// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A parallel loop over a floating-point number.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  int a[10] = {0};
#pragma acc parallel loop copy(a)
  // CHECK: counter-float.c:[[@LINE+1]]:{{.*}}variable must be of integer or pointer type
  for (float x = 0; x < 10; x += 1)
    a[(int)x] = 1;
  printf("%d\n", a[5]);
}
