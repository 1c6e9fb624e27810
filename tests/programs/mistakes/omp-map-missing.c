// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An OpenMP region without a map of what a pointer points to.
// RUN: %accxcc --accx-check %s -o %t
// RUN: %run env ACCX_CHECK=1 not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  double *a = calloc(1000, sizeof *a);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 1000; ++i)
    // CHECK: omp-map-missing.c:[[@LINE+1]]:{{.*}}the device code of the construct at line {{[0-9]+}} of main writes host memory through 'a'
    a[i] = i;
  printf("%g\n", a[5]);
}
