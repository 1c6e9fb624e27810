// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A private copy for each thread, larger than any stack.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  static double w[100000000], b[1000];
// CHECK: private-huge.c:[[@LINE+1]]:{{.*}}'w' takes 800000000 bytes of the stack of each thread
#pragma acc parallel loop private(w) copy(b)
  for (int i = 0; i < 1000; ++i) {
    w[i] = i;
    b[i] = w[i];
  }
  printf("%g\n", b[5]);
}
