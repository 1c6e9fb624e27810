// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A temporary that a data clause makes one for all iterations.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#define N 100000
static double a[N];
int main(void) {
  double t = 0;
// CHECK: shared-temporary.c:[[@LINE+1]]:{{.*}}iterations assign 't' (line {{[0-9]+}}) and use the value, {{.*}}add 'private(t)'
#pragma acc parallel loop copy(a, t)
  for (int i = 0; i < N; ++i) {
    t = i * 2.0;
    a[i] = t + 1;
  }
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += a[i] != 2.0 * i + 1;
  printf("%d wrong\n", wrong);
}
