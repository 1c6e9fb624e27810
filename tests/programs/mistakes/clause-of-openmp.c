// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A clause of OpenMP on a directive of OpenACC.
// RUN: not %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  double a[10] = {0};
// CHECK: clause-of-openmp.c:[[@LINE+1]]:{{.*}}unknown OpenACC clause 'map'
#pragma acc parallel loop map(tofrom: a)
  for (int i = 0; i < 10; ++i)
    a[i] = i;
  printf("%g\n", a[5]);
}
