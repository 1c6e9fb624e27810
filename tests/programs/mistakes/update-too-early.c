// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// update before the data is there.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 1000;
  double *a = malloc(n * sizeof *a);
  for (int i = 0; i < n; ++i) a[i] = i;
// CHECK: update-too-early.c:[[@LINE+1]]:{{.*}}'a[0:n]' is not present on device 0
#pragma acc update device(a[0:n])
#pragma acc enter data create(a[0:n])
#pragma acc parallel loop present(a[0:n])
  for (int i = 0; i < n; ++i) a[i] *= 2;
#pragma acc exit data copyout(a[0:n])
  printf("%g\n", a[5]);
}
