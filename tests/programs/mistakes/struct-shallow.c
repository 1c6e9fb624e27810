// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A structure that is copied without what its member points to.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
typedef struct { int n; double *v; } Field;
int main(void) {
  Field f = {1000, calloc(1000, sizeof(double))};
#pragma acc parallel loop copy(f)
  for (int i = 0; i < 1000; ++i)
    // CHECK: struct-shallow.c:[[@LINE+1]]:{{.*}}'v' of 'f' points to memory of the host
    f.v[i] = i;
  printf("%g\n", f.v[5]);
}
