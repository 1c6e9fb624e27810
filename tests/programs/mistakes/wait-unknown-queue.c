// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A wait for another queue than the work is on.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  static double a[1000];
#pragma acc parallel loop copy(a) async(1)
  for (int i = 0; i < 1000; ++i)
    a[i] = i;
// CHECK: wait-unknown-queue.c:[[@LINE+1]]:{{.*}}wait for queue 2, which nothing in the program uses: 'async' names 1
#pragma acc wait(2)
  printf("%g\n", a[5]);
}
