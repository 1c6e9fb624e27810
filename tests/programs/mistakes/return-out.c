// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A return out of a parallel loop.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
static int find(const int *a, int n) {
#pragma acc parallel loop copyin(a[0:n])
  for (int i = 0; i < n; ++i)
    if (a[i] == 7)
      // CHECK: return-out.c:[[@LINE+1]]:{{.*}}cannot return from OpenMP region
      return i;
  return -1;
}
int main(void) {
  int a[10] = {0};
  printf("%d\n", find(a, 10));
}
