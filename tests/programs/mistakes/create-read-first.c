// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array that is read, with create.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  static double a[1000], b[1000];
#pragma acc parallel loop create(a) copyout(b)
  for (int i = 0; i < 1000; ++i)
    // CHECK: create-read-first.c:[[@LINE+1]]:{{.*}}'a' is read before the construct writes it, but 'create' in line {{[0-9]+}} does not copy it in: write 'copyin'
    b[i] = a[i] + 1;
  printf("%g\n", b[5]);
}
