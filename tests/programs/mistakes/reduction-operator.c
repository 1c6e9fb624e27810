// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A maximum with the clause of a sum.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  double m = 0, a[1000];
  for (int i = 0; i < 1000; ++i) a[i] = i;
// CHECK: reduction-operator.c:[[@LINE+1]]:{{.*}}'m' is combined by 'max' in line {{[0-9]+}}, but the clause says '+'
#pragma acc parallel loop copyin(a) reduction(+:m)
  for (int i = 0; i < 1000; ++i)
    if (a[i] > m)
      m = a[i];
  printf("%g\n", m);
}
