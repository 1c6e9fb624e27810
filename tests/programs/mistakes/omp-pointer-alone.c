// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP maps a pointer without a length.
// RUN: %accxcc --accx-check %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 1000;
  double *a = calloc(n, sizeof *a);
#pragma omp target teams distribute parallel for map(tofrom: a)
// CHECK: omp-pointer-alone.c:[[@LINE+1]]:{{.*}}host memory through 'a'
  for (int i = 0; i < n; ++i) a[i] += 1;
  printf("%g\n", a[5]);
}
