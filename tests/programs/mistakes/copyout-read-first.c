// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array that is updated, with copyout.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  static double a[1000];
  for (int i = 0; i < 1000; ++i)
    a[i] = i;
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 1000; ++i)
    // CHECK: copyout-read-first.c:[[@LINE+1]]:{{.*}}'a' is read before the construct writes it, but 'copyout' in line {{[0-9]+}} does not copy it in: write 'copy'
    a[i] += 1;
  printf("%g\n", a[5]);
}
