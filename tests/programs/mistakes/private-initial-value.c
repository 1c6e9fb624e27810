// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A private variable that is read as if it were firstprivate.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  double b[100], scale = 3;
#pragma acc parallel loop copyout(b) private(scale)
  for (int i = 0; i < 100; ++i)
    // CHECK: private-initial-value.c:[[@LINE+1]]:{{.*}}'scale' is read before it is set, but 'private' in line {{[0-9]+}} gives it no value
    b[i] = i * scale;
  printf("%g\n", b[5]);
}
