// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A log file that a kernel opens.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
int main(void) {
  double b[10] = {0};
#pragma acc parallel loop copy(b)
  for (int i = 0; i < 10; ++i) {
    // CHECK: host-function-fopen.c:[[@LINE+1]]:{{.*}}'fopen' is called in code for a device (the construct in line {{[0-9]+}}): it needs the host
    FILE *f = fopen("log.txt", "a");
    // CHECK: host-function-fopen.c:[[@LINE+1]]:{{.*}}'fclose' is called in code for a device
    if (f) fclose(f);
    b[i] = 1;
  }
  printf("%g\n", b[5]);
}
