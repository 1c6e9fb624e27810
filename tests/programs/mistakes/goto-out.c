// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A goto out of a construct.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  double b[10] = {0};
#pragma acc parallel copy(b)
  {
    if (b[0] == 0)
      // CHECK: goto-out.c:[[@LINE+1]]:{{.*}}use of undeclared label 'out'
      goto out;
    b[0] = 1;
  }
out:
  printf("%g\n", b[5]);
}
