// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A semicolon behind a directive.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  double a[10] = {0};
// CHECK: semicolon-no-region.c:[[@LINE+1]]:{{.*}}expected an OpenACC clause before ';'
#pragma acc parallel loop copy(a);
  for (int i = 0; i < 10; ++i)
    a[i] = i;
  printf("%g\n", a[5]);
}
