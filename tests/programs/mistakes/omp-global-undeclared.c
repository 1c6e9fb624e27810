// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function for devices uses OpenMP's undeclared global variable.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
// CHECK: omp-global-undeclared.c:[[@LINE+1]]:{{.*}}declaration is not declared in any declare target region
static double scale = 3;
#pragma omp declare target
static double f(double x) { return scale * x; }
#pragma omp end declare target
static double a[1000];
int main(void) {
  scale = 7;
#pragma omp target teams distribute parallel for map(tofrom: a)
  for (int i = 0; i < 1000; ++i) a[i] = f(i);
  printf("%g\n", a[5]);
}
