// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A declaration stands between the directive and its loop.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#define N 1000
static double a[N];
int main(void) {
#pragma acc parallel loop copy(a)
// CHECK: declaration-behind-loop.c:[[@LINE+1]]:{{.*}}what follows 'parallel loop' must be a for loop, and this begins with 'int'
  int i;
  for (i = 0; i < N; ++i) a[i] = i;
  printf("%g\n", a[5]);
}
