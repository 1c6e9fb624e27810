// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A construct in `data async` that is not on the queue itself.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s --implicit-check-not=warning:

// clang-format off
#include <openacc.h>
#include <stdio.h>
int main(void) {
  static double a[1000];
#pragma acc data copy(a) async(1)
  {
// CHECK: async-data-inside.c:[[@LINE+1]]:{{.*}}this construct does not wait for the copies of 'data async' in line 10, and may come before them
#pragma acc parallel loop
    for (int i = 0; i < 1000; ++i)
      a[i] = i;
  }
#pragma acc data copyin(a) async(1)
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < 1000; ++i)
      a[i] += i;
#pragma acc wait(1)
#pragma acc parallel loop
    for (int i = 0; i < 1000; ++i)
      a[i] += i;
  }
#pragma acc data copyin(a) async(1)
  {
    acc_wait(1);
#pragma acc parallel loop
    for (int i = 0; i < 1000; ++i)
      a[i] += i;
  }
#pragma acc data create(a) async(1)
  {
#pragma acc parallel loop
    for (int i = 0; i < 1000; ++i)
      a[i] = i;
  }
#pragma acc wait
  printf("%g\n", a[5]);
}
