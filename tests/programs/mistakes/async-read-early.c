// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host reads what an asynchronous update has yet to bring.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#define N 10000
static double a[N];
int main(void) {
#pragma acc data copy(a)
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < N; ++i) a[i] = i;
#pragma acc update self(a) async(1)
// CHECK: async-read-early.c:[[@LINE+1]]:{{.*}}'a' is used on the host here, and what line {{[0-9]+}} asks for may be under way: add '#pragma acc wait'
    printf("%g\n", a[5]);
#pragma acc wait(1)
  }
}
