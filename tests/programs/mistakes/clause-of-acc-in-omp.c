// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A clause of OpenACC on a directive of OpenMP.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  double a[10] = {0};
// CHECK: clause-of-acc-in-omp.c:[[@LINE+1]]:{{.*}}extra tokens at the end of '#pragma omp target teams loop'
#pragma omp target teams loop copy(a)
  for (int i = 0; i < 10; ++i)
    a[i] = i;
  printf("%g\n", a[5]);
}
