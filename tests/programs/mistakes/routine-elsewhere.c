// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A routine whose body is in another file, which does not say that it is one.
// RUN: %accxcc -c %s -o %t.o
// RUN: %accxcc -DBODY -c %s -o %t.body.o
// RUN: not %accxcc %t.o %t.body.o -o %t 2>&1 | FileCheck %s
// CHECK: __omp_offloading_{{.*}}_main_l{{[0-9]+}}
// CHECK: undefined reference to `helper'

// clang-format off
#ifdef BODY
double helper(double x) { return 2 * x; }
#else
#include <stdio.h>
#pragma acc routine seq
double helper(double);
static double a[1000];
int main(void) {
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 1000; ++i) a[i] = helper(i);
  printf("%g\n", a[5]);
}
#endif
