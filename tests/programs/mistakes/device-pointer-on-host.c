// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host follows a pointer of acc_malloc.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <openacc.h>
#include <stdio.h>
int main(void) {
  int n = 1000;
  double *d = acc_malloc(n * sizeof *d);
// CHECK: device-pointer-on-host.c:[[@LINE+1]]:{{.*}}'d' is an address of the device, of acc_malloc: the host cannot use what it points to
  for (int i = 0; i < n; ++i) d[i] = i;
#pragma acc parallel loop deviceptr(d)
  for (int i = 0; i < n; ++i) d[i] += i;
  printf("%g\n", d[5]);
}
