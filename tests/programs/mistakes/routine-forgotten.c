// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function of another file, without routine.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
double other(double x);   // another file's, without acc routine
int main(void) {
  double b[10] = {0};
#pragma acc parallel loop copy(b)
  for (int i = 0; i < 10; ++i)
    // CHECK: routine-forgotten.c:[[@LINE+1]]:{{.*}}'other' is called in code for a device (the construct in line {{[0-9]+}}), but has neither a body here nor a 'routine' directive
    b[i] = other(b[i]);
  printf("%g\n", b[5]);
}
