// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel uses what exit data has taken away.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
static void step(double *a, int n) {
// CHECK: use-after-exit.c:[[@LINE+1]]:{{.*}}'a[0:n]' is not present on device 0
#pragma acc parallel loop present(a[0:n])
  for (int i = 0; i < n; ++i) a[i] += 1;
}
int main(void) {
  int n = 1000;
  double *a = calloc(n, sizeof *a);
#pragma acc enter data copyin(a[0:n])
  step(a, n);
#pragma acc exit data copyout(a[0:n])
  step(a, n);
  printf("%g\n", a[5]);
}
