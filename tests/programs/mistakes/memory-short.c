// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More data than a device has memory.
// RUN: %accxcc %s -o %t
// RUN: %run env ACCX_HOST_MEMORY=64M not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  long n = 20000000;
  double *a = malloc(n * sizeof *a);
// CHECK: memory-short.c:[[@LINE+1]]:
#pragma acc parallel loop copyout(a[0:n])
  for (long i = 0; i < n; ++i)
    a[i] = i;
  printf("%g\n", a[5]);
}
