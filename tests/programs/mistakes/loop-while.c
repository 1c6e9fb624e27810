// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A while loop behind parallel loop.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  int a[10] = {0}, i = 0;
#pragma acc parallel loop copy(a)
  // CHECK: loop-while.c:[[@LINE+1]]:{{.*}}must be a for loop
  while (i < 10) {
    a[i] = i;
    ++i;
  }
  printf("%d\n", a[5]);
}
