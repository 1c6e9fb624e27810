// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// present with one element more than is there.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
static void step(double *a, int n) {
// CHECK: present-too-long.c:[[@LINE+1]]:{{.*}}'a[0:n + 1]' is not present on device 0
#pragma acc parallel loop present(a[0:n+1])
  for (int i = 0; i <= n; ++i) a[i] += 1;
}
int main(void) {
  int n = 1000;
  double *a = calloc(n + 1, sizeof *a);
#pragma acc data copy(a[0:n])
  step(a, n);
  printf("%g\n", a[5]);
}
