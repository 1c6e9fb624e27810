// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A routine counts in a static variable.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#define N 1000
static double a[N];
#pragma acc routine seq
// CHECK: static-local.c:[[@LINE+1]]:{{.*}}static variable 'count' in code for a device: each device has one of its own
static int next(void) { static int count; return ++count; }
int main(void) {
#pragma acc parallel loop copy(a)
  for (int i = 0; i < N; ++i) a[i] = next();
  printf("%g\n", a[5]);
}
