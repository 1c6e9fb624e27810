// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An update from device to device of a pointer, of nobody knows how much.
// RUN: not %accxcc -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  double *a = calloc(1000, sizeof *a);
// CHECK: peer-without-length.c:[[@LINE+1]]:{{.*}}'a' does not say how much of what 'a' points to is copied: write 'a[first:count]'
#pragma acc update peer to(a) to_device(1) from(a) from_device(0)
  printf("%g\n", a[999]);
}
