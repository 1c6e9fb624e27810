// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that asks for an environment variable.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  double b[10] = {0};
#pragma acc parallel loop copy(b)
  for (int i = 0; i < 10; ++i)
    // CHECK: host-function-getenv.c:[[@LINE+1]]:{{.*}}'getenv' is called in code for a device
    b[i] = getenv("SCALE") ? 2 : 1;
  printf("%g\n", b[5]);
}
