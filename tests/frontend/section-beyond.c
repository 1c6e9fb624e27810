// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A section whose numbers are known at run time only, and that ends behind its
// array, ends the program where its construct is reached.
//
// RUN: %accxcc -O1 -Wall -Werror --accx-targets=host %s -o %t
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY %t 0 100 2>&1 | FileCheck %s --check-prefix=CHECK-RIGHT
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY %t 40 60 2>&1 | FileCheck %s --check-prefix=CHECK-RIGHT
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY %t 100 0 2>&1 | FileCheck %s --check-prefix=CHECK-RIGHT
// RUN: not --crash env OMP_TARGET_OFFLOAD=MANDATORY %t 0 101 2>&1 | FileCheck %s --check-prefix=CHECK-LENGTH
// RUN: not --crash env OMP_TARGET_OFFLOAD=MANDATORY %t 40 100 2>&1 | FileCheck %s --check-prefix=CHECK-END
// RUN: not --crash env OMP_TARGET_OFFLOAD=MANDATORY %t -1 10 2>&1 | FileCheck %s --check-prefix=CHECK-FIRST
// RUN: not --crash env OMP_TARGET_OFFLOAD=MANDATORY %t 5 5 update 2>&1 | FileCheck %s --check-prefix=CHECK-UPDATE
// RUN: not --crash env OMP_TARGET_OFFLOAD=MANDATORY %t 5 5 data and 2>&1 | FileCheck %s --check-prefix=CHECK-MEMBER
#include <stdio.h>
#include <stdlib.h>

static double A[100], M[4][10];
static struct {
  int Count;
  double V[10];
} S;
static int Calls;
static int once(int N) {
  ++Calls;
  return N;
}

int main(int Count, char **Words) {
  const int First = atoi(Words[1]), N = atoi(Words[2]);
// CHECK-LENGTH: section-beyond.c:[[#@LINE+3]]: 'A[First : N]' ends behind the array: it has 100 elements in this dimension, and the section is 101 elements from element 0 on
// CHECK-END: section-beyond.c:[[#@LINE+2]]: 'A[First : N]' ends behind the array: {{.*}} 100 elements from element 40 on
// CHECK-FIRST: section-beyond.c:[[#@LINE+1]]: 'A[First : N]' ends behind the array: {{.*}} 10 elements from element -1 on
#pragma acc parallel loop copy(A[First : N])
  for (int I = First; I < First + N; ++I)
    A[I] = 1;
  // A condition that does not hold, and bounds that may not be evaluated twice.
#pragma acc enter data copyin(M[0 : N + 100][0 : 10]) if (N < 0)
#pragma acc parallel loop copy(A[0 : once(10)])
  for (int I = 0; I < 10; ++I)
    A[I] = 1;
  if (Count == 4) {
#pragma acc enter data copyin(M)
// CHECK-UPDATE: section-beyond.c:[[#@LINE+1]]: 'M[1][First : 6]' ends behind the array: it has 10 elements in this dimension, and the section is 6 elements from element 5 on
#pragma acc update self(M[1][First : 6])
  }
  if (Count == 5) {
// CHECK-MEMBER: section-beyond.c:[[#@LINE+1]]: 'S.V[0 : N * 3]' ends behind the array: it has 10 elements
#pragma acc data copy(S.V[0 : N * 3])
    puts("not reached");
  }
  printf("%g, %d calls\n", A[9], Calls); // CHECK-RIGHT: 1, {{[1-9]}} calls
  return 0;
}
