// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer into an array that the same construct maps has the array's device
// address, whether it comes before or behind the array among the arguments.
//
// RUN: %clang %s -o %t && %run %t | FileCheck %s
// RUN: env ACCX_DIRECTORY=fused OMP_TARGET_OFFLOAD=MANDATORY %t | FileCheck %s

#include <stdio.h>

int main(void) {
  double Block[100] = {0}, *P = Block + 1;
#pragma omp target map(tofrom : Block)
  {
    P[0] = 5;
    Block[2] = P[0] + 1;
  }
  // CHECK: 5 6
  printf("%g %g\n", Block[1], Block[2]);
#pragma omp target map(tofrom : Block)
  {
    Block[3] = 7;
    P[3] = Block[3] + 1;
  }
  // CHECK: 7 8
  printf("%g %g\n", Block[3], Block[4]);
#pragma omp target data map(P[ : 0]) map(tofrom : Block)
  {
#pragma omp target
    P[4] = 9;
  }
  // CHECK: 9
  printf("%g\n", Block[5]);
  return 0;
}
