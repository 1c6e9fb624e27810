// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A parallel loop that doubles its counter.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  int a[100] = {0};
#pragma acc parallel loop copy(a)
  // CHECK: loop-not-canonical.c:[[@LINE+1]]:{{.*}}increment clause
  for (int i = 1; i < 100; i *= 2)
    a[i] = i;
  printf("%d\n", a[4]);
}
