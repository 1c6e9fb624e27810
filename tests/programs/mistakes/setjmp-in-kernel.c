// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A jump from a kernel to the host.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <setjmp.h>
#include <stdio.h>
int main(void) {
  double a[10] = {0};
  static jmp_buf env;
  if (setjmp(env) == 0) {
#pragma acc parallel loop copy(a)
    for (int i = 0; i < 10; ++i)
      if (a[i] == 0)
        // CHECK: setjmp-in-kernel.c:[[@LINE+1]]:{{.*}}'longjmp' is called in code for a device
        longjmp(env, 1);
  }
  printf("%g\n", a[5]);
}
