// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A clause that names a variable that is not there.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  double a[10] = {0};
// CHECK: variable-unknown.c:[[@LINE+1]]:{{.*}}use of undeclared identifier 'bb'
#pragma acc parallel loop copy(a, bb)
  for (int i = 0; i < 10; ++i)
    a[i] = i;
  printf("%g\n", a[5]);
}
