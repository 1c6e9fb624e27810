// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable-length array larger than any stack.
// RUN: %accxcc %s -o %t
// RUN: %run env OMP_NUM_THREADS=1 not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(int argc, char **argv) {
  int n = 100000000 * argc;
  static double b[1000];
// CHECK: accx: device 0: the stack is full (large arrays, or a recursion) in the kernel of {{.*}}private-vla-huge.c:[[@LINE+1]], function main
#pragma acc parallel loop copy(b)
  for (int i = 0; i < 1000; ++i) {
    volatile double w[n];
    for (int j = 0; j < n; j += 100)
      w[j] = i;
    b[i] = w[i];
  }
  printf("%g\n", b[5]);
}
