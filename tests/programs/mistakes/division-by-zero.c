// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A division by zero in a kernel.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(int argc, char **argv) {
  int b[10], d = argc - 1;
// CHECK: accx: device 0: an integer was divided by zero in the kernel of {{.*}}division-by-zero.c:[[@LINE+1]], function main
#pragma acc parallel loop copyout(b)
  for (int i = 0; i < 10; ++i)
    b[i] = (i + 1) / d;
  printf("%d\n", b[5]);
}
