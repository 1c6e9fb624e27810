// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A length in bytes, as the C library's functions want it.
// RUN: %accxcc --accx-check %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s
// RUN: env ACCX_CHECK=2 %run %t 2>&1 | FileCheck %s --check-prefixes=CHECK,WARN

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 1000;
  double *a = calloc(n, sizeof *a);
// CHECK: length-in-bytes.c:[[@LINE+1]]:13: 'a[0:n * sizeof(double)]' ends 56000 bytes behind the memory that it is in, which is 8000 bytes long
#pragma acc data create(a[0:n*sizeof(double)])
  // WARN: on the device
  puts("on the device");
}
