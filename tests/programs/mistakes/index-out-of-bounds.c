// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that goes one element too far.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  static double a[1000], b[1000];
#pragma acc parallel loop copyin(a) copyout(b)
  for (int i = 0; i <= 1000; ++i)
    // CHECK: index-out-of-bounds.c:[[@LINE+1]]:{{.*}}subscript 1000 of 'a' is outside of its 1000 elements
    b[i] = a[i];
  printf("%g\n", b[5]);
}
