// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A search that leaves its parallel loop.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  int a[10] = {0}, found = -1;
#pragma acc parallel loop copyin(a) copy(found)
  for (int i = 0; i < 10; ++i)
    if (a[i] == 7) {
      found = i;
      // CHECK: break-out.c:[[@LINE+1]]:{{.*}}'break' statement cannot be used
      break;
    }
  printf("%d\n", found);
}
