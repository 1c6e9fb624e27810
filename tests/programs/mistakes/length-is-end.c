// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Behind ':' stands the end of the section instead of its length.
// RUN: %accxcc --accx-check %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
void scale(double *a, int lo, int hi) {
// CHECK: length-is-end.c:[[@LINE+1]]:13: 'a[lo:hi]' ends 4000 bytes behind the memory that it is in, which is 8000 bytes long
#pragma acc parallel loop copy(a[lo:hi])
  for (int i = lo; i < hi; ++i)
    a[i] *= 2;
}
int main(void) {
  int n = 1000;
  double *a = calloc(n, sizeof *a);
  scale(a, 500, n);
  printf("%g\n", a[600]);
}
