// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum without its clause.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  double s = 0, a[1000];
  for (int i = 0; i < 1000; ++i) a[i] = 1;
// CHECK: reduction-missing.c:[[@LINE+1]]:{{.*}}what line {{[0-9]+}} combines in 's' is lost{{.*}}reduction(+:s)
#pragma acc parallel loop copyin(a)
  for (int i = 0; i < 1000; ++i)
    s += a[i];
  printf("%g\n", s);
}
