// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that lie side by side on the host and on the device are updated
// one by one: a device may keep each in an allocation of its own. Rows of one
// variable go together.
//
// RUN: %clang %s -o %t
// RUN: %run ACCX_NOTIFY=2 %t 2>&1 | FileCheck %s

#include <stdio.h>

#pragma omp declare target
struct {
  int a[1024], b[1024], c[1024];
} all;
#pragma omp end declare target

static int rows[8][16];

int main(void) {
  for (int i = 0; i < 1024; ++i)
    all.a[i] = all.b[i] = all.c[i] = i;
  // CHECK:      to device 4096 bytes
  // CHECK-NEXT: to device 4096 bytes
  // CHECK-NEXT: to device 4096 bytes
#pragma omp target update to(all.a, all.b, all.c)
#pragma omp target
  for (int i = 0; i < 1024; ++i) {
    all.a[i] += 1;
    all.b[i] += 2;
    all.c[i] += 3;
  }
  // CHECK:      from device 4096 bytes
  // CHECK-NEXT: from device 4096 bytes
  // CHECK-NEXT: from device 4096 bytes
#pragma omp target update from(all.a, all.b, all.c)
  int wrong = 0;
  for (int i = 0; i < 1024; ++i)
    wrong += all.a[i] != i + 1 || all.b[i] != i + 2 || all.c[i] != i + 3;

#pragma omp target enter data map(to : rows)
  // CHECK: to device 512 bytes
  // CHECK: to device 256 bytes
#pragma omp target update to(rows[0 : 8][2 : 8])
#pragma omp target exit data map(delete : rows)
  // CHECK: {{^}}0 wrong
  printf("%d wrong\n", wrong);
  return 0;
}
