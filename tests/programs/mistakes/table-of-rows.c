// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of pointers to rows is copied as if it were the matrix.
// RUN: %accxcc --accx-check %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 100;
  double **a = malloc(n * sizeof *a);
  for (int i = 0; i < n; ++i) a[i] = calloc(n, sizeof **a);
// CHECK: table-of-rows.c:[[@LINE+1]]:13: 'a[0:n * n]' ends 79200 bytes behind the memory that it is in
#pragma acc parallel loop copy(a[0:n*n])
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a[i][j] = i;
  printf("%g\n", a[5][3]);
}
