// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// capture: a copy of its own on a device that could use the host's memory.
//
// RUN: %accxcc -O1 -Wall %s -o %t && %run %t | FileCheck %s --check-prefix=OWN
// RUN: env ACCX_HOST_UNIFIED=1 %t | FileCheck %s --check-prefix=SHARED
// OWN: without 1
// SHARED: without 7
// OWN: with 1
// SHARED: with 1
// OWN: created 5 9
// SHARED: created 5 9

#include <stdio.h>

int main(void) {
  int a[10], b[10], r = 0;
  a[0] = 1;
#pragma acc data copyin(a)
  {
    a[0] = 7;
#pragma acc serial copyout(r)
    r = a[0];
  }
  printf("without %d\n", r);
  a[0] = 1;
#pragma acc data copyin(capture : a)
  {
    a[0] = 7;
#pragma acc serial copyout(r)
    r = a[0];
  }
  printf("with %d\n", r);
  int seen = 0;
#pragma acc data copyout(capture : b)
  {
    b[0] = 5;
#pragma acc serial
    b[0] = 9;
    seen = b[0];
  }
  printf("created %d %d\n", seen, b[0]);
}
