// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// host_data of what is on no device.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
static void library(double *d, int n) {
#pragma acc parallel loop deviceptr(d)
  for (int i = 0; i < n; ++i) d[i] = i;
}
int main(void) {
  int n = 1000;
  double *a = calloc(n, sizeof *a);
// CHECK: host-data-absent.c:[[@LINE+1]]:{{.*}}host_data: 'a' is not present on device 0
#pragma acc host_data use_device(a)
  library(a, n);
  printf("%g\n", a[5]);
}
