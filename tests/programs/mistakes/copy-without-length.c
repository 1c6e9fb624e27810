// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer in a clause without the number of its elements.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  double *a = calloc(1000, sizeof *a);
// CHECK: copy-without-length.c:[[@LINE+1]]:{{.*}}'a' is a pointer: 'copy' without a sub-array holds the pointer alone
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 1000; ++i)
    a[i] = i;
  printf("%g\n", a[5]);
}
