// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A section whose length is negative at run time ends the program, and says
// which one it is.
//
// RUN: %accxcc -O1 %s -o %t
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY %t 10 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: not --crash env OMP_TARGET_OFFLOAD=MANDATORY %t -5 2>&1 | FileCheck %s
// RUN: not --crash env OMP_TARGET_OFFLOAD=MANDATORY %t -5 x 2>&1 | FileCheck %s --check-prefix=CHECK-UPDATE
#include <stdio.h>
#include <stdlib.h>
static double A[100];
int main(int Count, char **Words) {
  const int N = atoi(Words[1]);
  double *P = A;
  if (Count > 2) {
#pragma acc enter data copyin(A)
// CHECK-UPDATE: negative-length.c:[[#@LINE+1]]:{{[0-9]+}}: the length of 'P[0:N]' is negative (-40 bytes)
#pragma acc update self(P[0 : N])
  }
// CHECK: negative-length.c:[[#@LINE+1]]:{{[0-9]+}}: the length of 'P[0:N]' is negative (-40 bytes)
#pragma acc parallel loop copy(P[0 : N])
  for (int I = 0; I < N; ++I)
    P[I] = 1;
  printf("%g\n", A[9]); // RIGHT: 1
  return 0;
}
