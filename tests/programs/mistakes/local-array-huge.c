// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A local array larger than any stack.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  static double b[1000];
#pragma acc parallel loop copy(b)
  for (int i = 0; i < 1000; ++i) {
    // CHECK: local-array-huge.c:[[@LINE+1]]:{{.*}}'w' takes 800000000 bytes of the stack of each thread
    volatile double w[100000000];
    for (int j = 0; j < 100000000; j += 100)
      w[j] = i;
    b[i] = w[i];
  }
  printf("%g\n", b[5]);
}
