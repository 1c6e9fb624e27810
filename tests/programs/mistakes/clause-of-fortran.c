// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fortran's way to write a sub-array.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
static double a[1000];
int main(void) {
// CHECK: clause-of-fortran.c:[[@LINE+1]]:{{.*}}expected ',' or ')' after a list item of 'copy'
#pragma acc parallel loop copy(a(0:1000))
  for (int i = 0; i < 1000; ++i) a[i] = i;
// CHECK: clause-of-fortran.c:[[@LINE+1]]:{{.*}}unknown OpenACC directive 'end'
#pragma acc end parallel loop
  printf("%g\n", a[5]);
}
