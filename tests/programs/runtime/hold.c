// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ompx_hold: what a structured construct holds, unstructured ones cannot take
// away; what it does not hold, they can.
//
// RUN: %clang -g -fopenmp-extensions %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused %t | FileCheck %s

#include <omp.h>
#include <stdio.h>

static int a[100];
static int there(void) { return omp_target_is_present(a, 0); }

int main(void) {
#pragma omp target data map(ompx_hold, tofrom : a)
  {
#pragma omp target map(ompx_hold, alloc : a)
    a[5] = 1;
    printf("after region: %d\n", there());
#pragma omp target exit data map(delete : a)
    printf("after delete: %d\n", there());
#pragma omp target enter data map(to : a)
#pragma omp target enter data map(to : a)
#pragma omp target exit data map(from : a)
#pragma omp target exit data map(from : a)
#pragma omp target exit data map(from : a)
    printf("after too many exits: %d\n", there());
#pragma omp target enter data map(to : a)
  }
  // The dynamic count keeps it now.
  printf("after hold: %d, a[5] is %d\n", there(), a[5]);
#pragma omp target exit data map(from : a)
  printf("after exit: %d, a[5] is %d\n", there(), a[5]);

#pragma omp target data map(tofrom : a)
  {
#pragma omp target exit data map(delete : a)
    printf("without hold: %d\n", there());
  }
  return 0;
}

// CHECK: after region: 1
// CHECK: after delete: 1
// CHECK: after too many exits: 1
// CHECK: after hold: 1, a[5] is 0
// CHECK: after exit: 0, a[5] is 1
// CHECK: without hold: 0
