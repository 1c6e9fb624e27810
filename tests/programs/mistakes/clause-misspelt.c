// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A misspelt clause.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  double a[10] = {0};
// CHECK: clause-misspelt.c:[[@LINE+1]]:{{.*}}unknown OpenACC clause 'copy_in'; did you mean 'copyin'?
#pragma acc parallel loop copy_in(a)
  for (int i = 0; i < 10; ++i)
    a[i] = i;
  printf("%g\n", a[5]);
}
