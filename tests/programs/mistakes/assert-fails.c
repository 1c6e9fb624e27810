// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An assertion that fails in a kernel.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <assert.h>
#include <stdio.h>
int main(void) {
  double a[10] = {0};
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 10; ++i) {
    // CHECK: assert-fails.c:[[@LINE+1]]: {{.*}}Assertion `a[i] > 0' failed
    assert(a[i] > 0);
    a[i] = 1 / a[i];
  }
  printf("%g\n", a[5]);
}
