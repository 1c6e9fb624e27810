// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// acc_copyin is given elements, and takes bytes.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 1000;
  double *a = calloc(n, sizeof *a);
  acc_copyin(a, n);
// CHECK: copyin-of-elements.c:[[@LINE+1]]:{{.*}}'a[0:n]' is not present on device 0: 8000 bytes
#pragma acc parallel loop present(a[0:n])
  for (int i = 0; i < n; ++i) a[i] = i;
  acc_copyout(a, n);
  printf("%g\n", a[5]);
}
