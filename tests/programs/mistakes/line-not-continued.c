// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A directive goes on in the next line without a backslash.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
static double a[1000];
int main(void) {
#pragma acc parallel loop
// CHECK: line-not-continued.c:[[@LINE+1]]:{{.*}}what follows 'parallel loop' must be a for loop, and this begins with 'copy'
        copy(a)
  for (int i = 0; i < 1000; ++i) a[i] = i;
  printf("%g\n", a[5]);
}
