// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An update with OpenMP's present modifier of an absent array.
// RUN: %accxcc %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  static double a[1000];
// CHECK: omp-update-present-absent.c:[[@LINE+1]]: 'a' is not present on device 0
#pragma omp target update from(present: a)
  printf("%g\n", a[5]);
}
