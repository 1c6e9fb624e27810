// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host follows an address of the device.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  double *a = calloc(1000, sizeof *a);
#pragma acc data copy(a[0:1000])
  {
#pragma acc host_data use_device(a)
    // CHECK: use-device-read-on-host.c:[[@LINE+1]]:{{.*}}'a' is an address of the device in this 'host_data' construct
    printf("%g\n", a[5]);
  }
}
