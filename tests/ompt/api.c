// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of API routines; each has the code pointer of its own call.
// RUN: %clang -DTOOL_EMI %s -o %t.emi
// RUN: %run %t.emi | FileCheck %s --check-prefix=EMI
// RUN: %clang -DTOOL_PLAIN %s -o %t.plain
// RUN: %run %t.plain | FileCheck %s --check-prefix=PLAIN

#include "Inputs/tool.h"

#include <omp.h>

int main(void) {
  int Device = omp_get_default_device(), Host = omp_get_initial_device();
  int A[16] = {1}, B[16];
  printf("alloc\n");
  int *D = omp_target_alloc(sizeof(A), Device);
  printf("copies\n");
  int Failed = omp_target_memcpy(D, A, sizeof(A), 0, 0, Device, Host);
  Failed |= omp_target_memcpy(B, D, sizeof(A), 0, 0, Host, Device);
  printf("associate\n");
  Failed |= omp_target_associate_ptr(A, D, sizeof(A), 0, Device);
  Failed |= omp_target_disassociate_ptr(A, Device);
  printf("free\n");
  omp_target_free(D, Device);
  printf("failed=%d value=%d\n", Failed, B[0]);
  return 0;
}

// clang-format off
// EMI: alloc
// EMI-NEXT: data-op-emi begin alloc target=0 id=[[I:[0-9]+]] src=(nil)@[[HOST:[0-9]+]] dst=(nil)@0 bytes=64 code=[[C1:0x[0-9a-f]+]]
// EMI-NEXT: data-op-emi end alloc target=0 id=[[I]] src=(nil)@[[HOST]] dst=[[D:0x[0-9a-f]+]]@0 bytes=64 code=[[C1]]
// EMI-NEXT: copies
// EMI-NOT: code=[[C1]]{{$}}
// EMI: data-op-emi begin to target=0 {{.*}}@[[HOST]] dst=[[D]]@0 bytes=64 code=[[C2:0x[0-9a-f]+]]
// EMI-NEXT: data-op-emi end to target=0 {{.*}}@[[HOST]] dst=[[D]]@0 bytes=64 code=[[C2]]
// EMI-NOT: code=[[C2]]{{$}}
// EMI: data-op-emi begin from target=0 {{.*}} src=[[D]]@0 {{.*}}@[[HOST]] bytes=64 code=[[C3:0x[0-9a-f]+]]
// EMI-NEXT: data-op-emi end from target=0 {{.*}} code=[[C3]]
// EMI-NEXT: associate
// EMI-NOT: code=[[C3]]{{$}}
// EMI: data-op-emi begin associate target=0 {{.*}} src=[[A:0x[0-9a-f]+]]@[[HOST]] dst=[[D]]@0 bytes=64 code=0x
// EMI-NEXT: data-op-emi end associate
// EMI-NEXT: data-op-emi begin disassociate target=0 {{.*}} src=[[A]]@[[HOST]] dst=(nil)@0 bytes=0 code=0x
// EMI-NEXT: data-op-emi end disassociate
// EMI-NEXT: free
// EMI-NEXT: data-op-emi begin delete target=0 {{.*}} src=[[D]]@0 dst=(nil)@-1 bytes=0 code=0x
// EMI-NEXT: data-op-emi end delete
// EMI-NEXT: failed=0 value=1

// PLAIN: alloc
// PLAIN-NEXT: data-op alloc target=0 id=[[#I:]] src=(nil)@[[HOST:[0-9]+]] dst={{.*}}@0 bytes=64 code=0x
// PLAIN-NEXT: copies
// PLAIN-NEXT: data-op to target=0 id=[[#I+1]] src=[[A:0x[0-9a-f]+]]@[[HOST]] dst=[[D:0x[0-9a-f]+]]@0 bytes=64 code=0x
// PLAIN-NEXT: data-op from target=0 id=[[#I+2]] src=[[D]]@0 {{.*}}@[[HOST]] bytes=64 code=0x
// PLAIN-NEXT: associate
// PLAIN-NEXT: data-op associate target=0 id=[[#I+3]] src=[[A]]@[[HOST]] dst=[[D]]@0 bytes=64 code=0x
// PLAIN-NEXT: data-op disassociate target=0 id=[[#I+4]] src=[[A]]@[[HOST]] dst=(nil)@0 bytes=0 code=0x
// PLAIN-NEXT: free
// PLAIN-NEXT: data-op delete target=0 id=[[#I+5]] src=[[D]]@0 dst=(nil)@-1 bytes=0 code=0x
// PLAIN-NEXT: failed=0 value=1
