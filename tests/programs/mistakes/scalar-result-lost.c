// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scalar that is read behind the construct.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  double a[10] = {0}, last = -1;
// CHECK: scalar-result-lost.c:[[@LINE+1]]:{{.*}}the value that line {{[0-9]+}} gives 'last' is lost behind the
#pragma acc parallel loop copyin(a)
  for (int i = 0; i < 10; ++i)
    if (i == 9)
      last = a[i];
  printf("%g\n", last);
}
