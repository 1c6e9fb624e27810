// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host sets an array between enter data and a kernel.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
static double a[1000], b[1000];
int main(void) {
#pragma acc enter data create(a, b)
// CHECK: enter-data-host-writes.c:[[@LINE+1]]:{{.*}}'a' is written on the host here, but the device has a copy of its own, which line {{[0-9]+}} reads
  for (int i = 0; i < 1000; ++i) a[i] = i;
#pragma acc parallel loop present(a, b)
  for (int i = 0; i < 1000; ++i) b[i] = a[i];
#pragma acc exit data copyout(b) delete(a)
  printf("%g\n", b[5]);
}
