// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// is_device_ptr of the host's pointer.
// RUN: %accxcc --accx-check %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 1000;
  double *a = calloc(n, sizeof *a);
#pragma omp target teams distribute parallel for is_device_ptr(a)
// CHECK: omp-is-device-ptr.c:[[@LINE+1]]:{{.*}}writes host memory through 'a'
  for (int i = 0; i < n; ++i) a[i] = i;
  printf("%g\n", a[5]);
}
