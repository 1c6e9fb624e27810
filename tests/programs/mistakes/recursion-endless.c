// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recursion in a routine that never ends.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#pragma acc routine seq
// CHECK: recursion-endless.c:[[@LINE+1]]:{{.*}}all paths through this function will call itself
static int f(int n, volatile int *p) {
  return *p + f(n + 1, p) + n;
}
int main(void) {
  int b[10] = {0};
#pragma acc parallel loop copy(b)
  for (int i = 0; i < 10; ++i)
    b[i] = f(i, b);
  printf("%d\n", b[5]);
}
