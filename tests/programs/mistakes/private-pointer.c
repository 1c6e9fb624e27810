// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A private pointer is meant to be private memory.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 100;
  double *work = malloc(n * sizeof *work), *out = calloc(n, 8);
#pragma acc parallel loop private(work) copy(out[0:n])
  for (int i = 0; i < n; ++i) {
// CHECK: private-pointer.c:[[@LINE+1]]:{{.*}}'work' points nowhere: 'private' in line {{[0-9]+}} copies no pointer; write 'private(work[0:count])'
    for (int k = 0; k < n; ++k) work[k] = i;
    out[i] = work[n - 1];
  }
  printf("%g\n", out[5]);
}
