// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of data constructs: enter data, exit data, update and target data,
// which is an enter and an exit; mapped data causes no operations.
// RUN: %clang %s -o %t
// RUN: %run %t | FileCheck %s

#define TOOL_EMI
#include "Inputs/tool.h"

int main(void) {
  int A[64];
  for (int I = 0; I < 64; ++I)
    A[I] = I;
  printf("enter\n");
#pragma omp target enter data map(to : A)
  printf("present\n");
#pragma omp target map(tofrom : A)
  A[0] = 5;
  printf("update to\n");
#pragma omp target update to(A[0 : 8])
  printf("update from\n");
#pragma omp target update from(A[8 : 16])
  printf("data begin\n");
#pragma omp target data map(from : A)
  {
    printf("data end\n");
  }
  printf("exit\n");
#pragma omp target exit data map(from : A)
  printf("release nothing\n");
#pragma omp target exit data map(release : A)
  printf("done %d\n", A[1]);
  return 0;
}

// clang-format off
// CHECK: enter
// CHECK: target-emi begin enter-data device=0 id=[[T:[0-9]+]] task=yes target-task=yes code=[[C:0x[0-9a-f]+]]
// CHECK-NEXT: data-op-emi begin alloc target=[[T]] {{.*}} bytes=256 code=[[C]]
// CHECK-NEXT: data-op-emi end alloc target=[[T]] {{.*}} dst=[[D:0x[0-9a-f]+]]@0 bytes=256 code=[[C]]
// CHECK-NEXT: data-op-emi begin to target=[[T]] {{.*}} dst=[[D]]@0 bytes=256 code=[[C]]
// CHECK-NEXT: data-op-emi end to target=[[T]] {{.*}} dst=[[D]]@0 bytes=256 code=[[C]]
// CHECK-NEXT: target-emi end enter-data device=0 id=[[T]] task=yes target-task=yes code=[[C]]
// CHECK-NEXT: present
// CHECK-NEXT: target-emi begin target
// CHECK-NEXT: submit-emi begin
// CHECK-NEXT: submit-emi end
// CHECK-NEXT: target-emi end target
// CHECK-NEXT: update to
// CHECK-NEXT: target-emi begin update device=0 id=[[U:[0-9]+]]
// CHECK-NEXT: data-op-emi begin to target=[[U]] {{.*}} dst=[[D]]@0 bytes=32 code=[[UC:0x[0-9a-f]+]]
// CHECK-NEXT: data-op-emi end to target=[[U]] {{.*}} dst=[[D]]@0 bytes=32 code=[[UC]]
// CHECK-NEXT: target-emi end update device=0 id=[[U]] {{.*}} code=[[UC]]
// CHECK-NEXT: update from
// CHECK-NEXT: target-emi begin update
// CHECK-NEXT: data-op-emi begin from {{.*}} bytes=64
// CHECK-NEXT: data-op-emi end from {{.*}} bytes=64
// CHECK-NEXT: target-emi end update
// CHECK-NEXT: data begin
// CHECK-NEXT: target-emi begin enter-data
// CHECK-NEXT: target-emi end enter-data
// CHECK-NEXT: data end
// CHECK-NEXT: target-emi begin exit-data
// CHECK-NEXT: target-emi end exit-data
// CHECK-NEXT: exit
// CHECK-NEXT: target-emi begin exit-data device=0 id=[[X:[0-9]+]] {{.*}} code=[[XC:0x[0-9a-f]+]]
// CHECK-NEXT: data-op-emi begin from target=[[X]] {{.*}} src=[[D]]@0 {{.*}} bytes=256 code=[[XC]]
// CHECK-NEXT: data-op-emi end from target=[[X]] {{.*}} src=[[D]]@0 {{.*}} bytes=256 code=[[XC]]
// CHECK-NEXT: data-op-emi begin delete target=[[X]] {{.*}} src=[[D]]@0 dst=(nil)@-1 bytes=0 code=[[XC]]
// CHECK-NEXT: data-op-emi end delete target=[[X]] {{.*}} src=[[D]]@0 dst=(nil)@-1 bytes=0 code=[[XC]]
// CHECK-NEXT: target-emi end exit-data device=0 id=[[X]] {{.*}} code=[[XC]]
// CHECK-NEXT: release nothing
// CHECK-NEXT: target-emi begin exit-data
// CHECK-NEXT: target-emi end exit-data
// CHECK-NEXT: done 1
