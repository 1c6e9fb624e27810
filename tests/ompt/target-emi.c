// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The EMI events of target constructs: order, identifiers, addresses, devices
// and code pointers.
// RUN: %clang %s -o %t
// RUN: %run %t | FileCheck %s

#define TOOL_EMI
#include "Inputs/tool.h"

int main(void) {
  int A[64], B[64];
  for (int I = 0; I < 64; ++I)
    A[I] = 0, B[I] = I;
  printf("host %p %p\n", (void *)A, (void *)B);
#pragma omp target parallel for map(tofrom : A) map(to : B)
  for (int I = 0; I < 64; ++I)
    A[I] = B[I] + 1;
#pragma omp target teams num_teams(3) map(from : B)
  B[0] = 7;
  printf("%s\n", A[63] == 64 && B[0] == 7 ? "right" : "wrong");
  return 0;
}

// clang-format off
// CHECK: host [[A:0x[0-9a-f]+]] [[B:0x[0-9a-f]+]]
// CHECK: target-emi begin target device=0 id=[[T:[0-9]+]] task=yes target-task=yes code=[[C:0x[0-9a-f]+]]
// CHECK-NEXT: data-op-emi begin alloc target=[[T]] id=[[I1:[0-9]+]] src=[[A]]@[[HOST:[0-9]+]] dst=(nil)@0 bytes=256 code=[[C]]
// CHECK-NEXT: data-op-emi end alloc target=[[T]] id=[[I1]] src=[[A]]@[[HOST]] dst=[[DA:0x[0-9a-f]+]]@0 bytes=256 code=[[C]]
// CHECK-NEXT: data-op-emi begin to target=[[T]] id=[[I2:[0-9]+]] src=[[A]]@[[HOST]] dst=[[DA]]@0 bytes=256 code=[[C]]
// CHECK-NEXT: data-op-emi end to target=[[T]] id=[[I2]] src=[[A]]@[[HOST]] dst=[[DA]]@0 bytes=256 code=[[C]]
// CHECK-NEXT: data-op-emi begin alloc target=[[T]] id=[[I3:[0-9]+]] src=[[B]]@[[HOST]] dst=(nil)@0 bytes=256 code=[[C]]
// CHECK-NEXT: data-op-emi end alloc target=[[T]] id=[[I3]] src=[[B]]@[[HOST]] dst=[[DB:0x[0-9a-f]+]]@0 bytes=256 code=[[C]]
// CHECK-NEXT: data-op-emi begin to target=[[T]] id=[[I4:[0-9]+]] src=[[B]]@[[HOST]] dst=[[DB]]@0 bytes=256 code=[[C]]
// CHECK-NEXT: data-op-emi end to target=[[T]] id=[[I4]] src=[[B]]@[[HOST]] dst=[[DB]]@0 bytes=256 code=[[C]]
// CHECK-NEXT: submit-emi begin target=[[T]] id=[[I5:[0-9]+]] teams=1
// CHECK-NEXT: submit-emi end target=[[T]] id=[[I5]] teams=1
// CHECK-NEXT: data-op-emi begin from target=[[T]] id=[[I6:[0-9]+]] src=[[DA]]@0 dst=[[A]]@[[HOST]] bytes=256 code=[[C]]
// CHECK-NEXT: data-op-emi end from target=[[T]] id=[[I6]] src=[[DA]]@0 dst=[[A]]@[[HOST]] bytes=256 code=[[C]]
// CHECK-NEXT: data-op-emi begin delete target=[[T]] id=[[I7:[0-9]+]] src=[[F1:0x[0-9a-f]+]]@0 dst=(nil)@-1 bytes=0 code=[[C]]
// CHECK-NEXT: data-op-emi end delete target=[[T]] id=[[I7]] src=[[F1]]@0 dst=(nil)@-1 bytes=0 code=[[C]]
// CHECK-NEXT: data-op-emi begin delete target=[[T]] id=[[I8:[0-9]+]] src=[[F2:0x[0-9a-f]+]]@0 dst=(nil)@-1 bytes=0 code=[[C]]
// CHECK-NEXT: data-op-emi end delete target=[[T]] id=[[I8]] src=[[F2]]@0 dst=(nil)@-1 bytes=0 code=[[C]]
// CHECK-NEXT: target-emi end target device=0 id=[[T]] task=yes target-task=yes code=[[C]]

// CHECK-NOT: code=[[C]]{{$}}
// CHECK: target-emi begin target device=0 id=[[U:[0-9]+]] task=yes target-task=yes code=[[D:0x[0-9a-f]+]]
// CHECK-NEXT: data-op-emi begin alloc target=[[U]]
// CHECK-NEXT: data-op-emi end alloc target=[[U]]
// CHECK-NEXT: submit-emi begin target=[[U]] id=[[J:[0-9]+]] teams=3
// CHECK-NEXT: submit-emi end target=[[U]] id=[[J]] teams=3
// CHECK-NEXT: data-op-emi begin from target=[[U]]
// CHECK-NEXT: data-op-emi end from target=[[U]]
// CHECK-NEXT: data-op-emi begin delete target=[[U]]
// CHECK-NEXT: data-op-emi end delete target=[[U]]
// CHECK-NEXT: target-emi end target device=0 id=[[U]] task=yes target-task=yes code=[[D]]
// CHECK: right
