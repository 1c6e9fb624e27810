// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop's counter that its body changes.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  int a[10] = {0};
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 10; ++i) {
    a[i] = i;
    if (a[i] == 3)
      // CHECK: counter-modified.c:[[@LINE+1]]:{{.*}}'i', the counter of the loop in line {{[0-9]+}}, is changed in its body
      i += 2;
  }
  printf("%d\n", a[5]);
}
