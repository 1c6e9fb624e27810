// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// alwaysin and alwaysout of copy copy present data in their direction alone.
//
// RUN: %accxcc --accx-targets=host %s -o %t
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY %t | FileCheck %s

// clang-format off
#include <stdio.h>
static double A[4];
static double S;
static void set(double V) {
  for (int I = 0; I < 4; ++I)
    A[I] = V;
  S = V;
}
int main(void) {
  set(1);
#pragma acc enter data copyin(A, S)
  set(2);
#pragma acc parallel loop copy(alwaysin: A[0:4], S)
  for (int I = 0; I < 4; ++I)
    A[I] += 10 + 0 * S;
  printf("in %g %g\n", A[1], S); // CHECK: in 2 2
#pragma acc update self(A)
  printf("device %g\n", A[1]); // CHECK: device 12
  set(3);
#pragma acc data copy(alwaysout: A)
  {
#pragma acc parallel loop async(1)
    for (int I = 0; I < 4; ++I)
      A[I] += 10;
#pragma acc wait
    set(4);
  }
  printf("out %g\n", A[1]); // CHECK: out 22
  set(5);
#pragma acc parallel loop copy(alwaysin, alwaysout: A)
  for (int I = 0; I < 4; ++I)
    A[I] += 10;
  printf("both %g\n", A[1]); // CHECK: both 15
  set(6);
#pragma acc parallel loop copy(alwaysin: A) if(0)
  for (int I = 0; I < 4; ++I)
    A[I] += 10;
  printf("host %g\n", A[1]); // CHECK: host 16
#pragma acc exit data delete(A, S)
  // What the construct brings is copied both ways.
#pragma acc parallel loop copy(alwaysin: A) async(2)
  for (int I = 0; I < 4; ++I)
    A[I] += 10;
#pragma acc wait(2)
#pragma acc parallel loop copy(alwaysout: A)
  for (int I = 0; I < 4; ++I)
    A[I] += 10;
  printf("absent %g\n", A[1]); // CHECK: absent 36
  return 0;
}
