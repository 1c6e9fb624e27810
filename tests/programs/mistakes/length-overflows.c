// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A length that overflows.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 50000;
  char *a = calloc((size_t)n * n, 1);
// CHECK: length-overflows.c:[[@LINE+1]]:{{.*}}the length of 'a[0:n * n]' is negative
#pragma acc parallel loop copy(a[0:n*n])
  for (int i = 0; i < n; ++i) a[i] = i;
  printf("%d\n", a[5]);
}
