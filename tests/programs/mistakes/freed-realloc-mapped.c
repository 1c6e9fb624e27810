// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// realloc while the memory is mapped.
// RUN: %accxcc --accx-check %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 1000;
  double *a = calloc(n, sizeof *a);
// CHECK: accx: warning: 'a[0:n]' is freed on the host and still on device 0, which freed-realloc-mapped.c:[[@LINE+1]]:13 has put there
#pragma acc enter data copyin(a[0:n])
  double *behind = malloc(100);
  a = realloc(a, 100000 * sizeof *a);
// CHECK: freed-realloc-mapped.c:[[@LINE+1]]: 'a[0:n]' is not present on device 0
#pragma acc parallel loop present(a[0:n])
  for (int i = 0; i < n; ++i)
    a[i] = i;
  printf("%g %p\n", a[5], (void *)behind);
}
