// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that is freed before it is copied back.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s
// CHECK: accx: device 0: no memory at address 0x{{.*}} while 8000000 bytes of 'a[0:n]' ({{.*}}freed-memory-mapped.c:{{[0-9]+}}) were copied from device

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 1000000;
  double *a = calloc(n, sizeof *a);
#pragma acc enter data copyin(a[0:n])
  free(a);
#pragma acc exit data copyout(a[0:n])
  puts("done");
}
