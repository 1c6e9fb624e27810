// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array behind a pointer that no clause names.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 1000;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (int i = 0; i < n; ++i)
    b[i] = i;
#pragma acc parallel loop copyout(a[0:n])
  for (int i = 0; i < n; ++i)
    // CHECK: copy-forgotten.c:[[@LINE+1]]:{{.*}}'b' points to memory of the host that no clause maps: add 'copyin(b[0:count])'
    a[i] = b[i] * 2;
  printf("%g\n", a[5]);
}
