// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP maps a structure without what its member points to.
// RUN: %accxcc --accx-check %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
typedef struct { int n; double *v; } Field;
int main(void) {
  Field f = {1000, calloc(1000, sizeof(double))};
#pragma omp target teams distribute parallel for map(tofrom: f)
// CHECK: omp-struct-shallow.c:[[@LINE+1]]:{{.*}}writes host memory through 'f.v'
  for (int i = 0; i < 1000; ++i) f.v[i] = i;
  printf("%g\n", f.v[5]);
}
