// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An atomic that holds two updates.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  int n = 0, a[100];
#pragma acc parallel loop copyout(a) copy(n)
  for (int i = 0; i < 100; ++i) {
#pragma acc atomic
    // CHECK: atomic-wrong-statement.c:[[@LINE+1]]:{{.*}}the statement for 'atomic' must be
    a[n++] = i;
  }
  printf("%d\n", n);
}
