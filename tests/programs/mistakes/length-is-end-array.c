// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same with an array whose length the compiler knows.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
static double a[1000];
void scale(int lo, int hi) {
// CHECK: length-is-end-array.c:[[@LINE+1]]: 'a[lo:hi]' ends behind the array: it has 1000 elements in this dimension, and the section is 1000 elements from element 500 on
#pragma acc parallel loop copy(a[lo:hi])
  for (int i = lo; i < hi; ++i)
    a[i] *= 2;
}
int main(void) {
  scale(500, 1000);
  printf("%g\n", a[600]);
}
