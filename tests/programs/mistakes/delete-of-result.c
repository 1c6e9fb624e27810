// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A result is deleted from the device instead of copied out.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 1000;
  double *a = calloc(n, sizeof *a);
#pragma acc enter data copyin(a[0:n])
#pragma acc parallel loop present(a[0:n])
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma acc exit data delete(a[0:n])
// CHECK: delete-of-result.c:[[@LINE+1]]:{{.*}}'a' is read on the host here, but 'delete' in line {{[0-9]+}} drops what the device wrote in line {{[0-9]+}}: write 'copyout'
  printf("%g\n", a[5]);
  free(a);
}
