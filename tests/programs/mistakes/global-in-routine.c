// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A global that a routine reads, without declare.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
double scale = 1;
#pragma acc routine seq
// CHECK: global-in-routine.c:[[@LINE+1]]:{{.*}}'scale' is used in a function for a device, but no device has it
double scaled(double x) { return x * scale; }
int main(void) {
  double b[10] = {1, 1, 1, 1, 1, 1};
  scale = 3;
#pragma acc parallel loop copy(b)
  for (int i = 0; i < 10; ++i)
    b[i] = scaled(b[i]);
  printf("%g\n", b[5]);
}
