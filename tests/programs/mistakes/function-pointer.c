// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel calls through a pointer that the host has set.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#define N 1000
static double a[N];
static double twice(double x) { return 2 * x; }
int main(void) {
  double (*f)(double) = twice;
#pragma acc parallel loop copy(a)
// CHECK: function-pointer.c:[[@LINE+1]]:{{.*}}call through 'f' in code for a device (the construct in line {{[0-9]+}}): the host's pointer names a function of the host
  for (int i = 0; i < N; ++i) a[i] = f(i);
  printf("%g\n", a[5]);
}
