// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plain events of a target construct: one for each operation, with
// identifiers from the runtime.
// RUN: %clang %s -o %t
// RUN: %run %t | FileCheck %s

#define TOOL_PLAIN
#include "Inputs/tool.h"

int main(void) {
  int A[64], B[64];
  for (int I = 0; I < 64; ++I)
    A[I] = 0, B[I] = I;
  printf("host %p %p\n", (void *)A, (void *)B);
#pragma omp target parallel for map(tofrom : A) map(to : B)
  for (int I = 0; I < 64; ++I)
    A[I] = B[I] + 1;
  printf("%s\n", A[63] == 64 ? "right" : "wrong");
  return 0;
}

// clang-format off
// CHECK: host [[A:0x[0-9a-f]+]] [[B:0x[0-9a-f]+]]
// CHECK: target begin target device=0 id=[[T:[1-9][0-9]*]] task=yes code=[[C:0x[0-9a-f]+]]
// CHECK-NEXT: data-op alloc target=[[T]] id=[[#I:]] src=[[A]]@[[HOST:[0-9]+]] dst={{.+}}@0 bytes=256 code=[[C]]
// CHECK-NEXT: data-op to target=[[T]] id=[[#I+1]] src=[[A]]@[[HOST]] dst=[[DA:0x[0-9a-f]+]]@0 bytes=256 code=[[C]]
// CHECK-NEXT: data-op alloc target=[[T]] id=[[#I+2]] src=[[B]]@[[HOST]] dst={{.+}}@0 bytes=256 code=[[C]]
// CHECK-NEXT: data-op to target=[[T]] id=[[#I+3]] src=[[B]]@[[HOST]] dst=0x{{[0-9a-f]+}}@0 bytes=256 code=[[C]]
// CHECK-NEXT: submit target=[[T]] id=[[#I+4]] teams=1
// CHECK-NEXT: data-op from target=[[T]] id=[[#I+5]] src=[[DA]]@0 dst=[[A]]@[[HOST]] bytes=256 code=[[C]]
// CHECK-NEXT: data-op delete target=[[T]] id=[[#I+6]] src=0x{{[0-9a-f]+}}@0 dst=(nil)@-1 bytes=0 code=[[C]]
// CHECK-NEXT: data-op delete target=[[T]] id=[[#I+7]] src=0x{{[0-9a-f]+}}@0 dst=(nil)@-1 bytes=0 code=[[C]]
// CHECK-NEXT: target end target device=0 id=[[T]] task=yes code=[[C]]
// CHECK: right
