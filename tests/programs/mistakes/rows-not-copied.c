// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix of pointers to rows, of which the pointers alone are copied.
// RUN: %accxcc --accx-check %s -o %t
// RUN: %run env ACCX_CHECK=1 not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 100;
  double **m = malloc(n * sizeof *m);
  for (int i = 0; i < n; ++i)
    m[i] = calloc(n, sizeof **m);
#pragma acc parallel loop copy(m[0:n])
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      // CHECK: rows-not-copied.c:[[@LINE+1]]:{{.*}}the device code of the construct at line {{[0-9]+}} of main writes host memory through 'm[]'
      m[i][j] = i + j;
  printf("%g\n", m[5][6]);
}
