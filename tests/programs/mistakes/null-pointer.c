// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A null pointer with a length.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 1000;
  double *a = NULL;
// CHECK: null-pointer.c:[[@LINE+1]]:
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; ++i)
    a[i] += 1;
  puts("done");
}
