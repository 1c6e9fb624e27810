// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections of `update peer`: without a length or a beginning, elements, and
// rectangles of arrays whose rows have a length of run time; and OpenACC calls
// for sections without a length.

// RUN: %accxcc -O2 -Wall -Werror %s -o %t
// RUN: %run %t
// RUN: env ACCX_DIRECTORY=fused %run %t

#include <stdio.h>
#include <stdlib.h>

static int A[100], B[100];

static int rows(void) {
  for (int I = 0; I < 100; ++I)
    A[I] = I, B[I] = 1000 + I;
#pragma acc enter data copyin(A) deviceid(1)
#pragma acc enter data copyin(B) deviceid(0)
#pragma acc update peer to(B[90 : ]) to_device(0) from(A[90 : ]) from_device(1)
#pragma acc update peer to(B[ : 5]) to_device(0) from(A[5 : 5]) from_device(1)
#pragma acc update peer to(B[50]) to_device(0) from(A[60]) from_device(1)
#pragma acc update self(B) deviceid(0)
#pragma acc wait device(0)
  int Bad = 0;
  for (int I = 0; I < 100; ++I)
    Bad += B[I] != (I >= 90 ? I : I < 5 ? I + 5 : I == 50 ? 60 : 1000 + I);
  return Bad;
}

static int rectangles(int N) {
  int(*V)[N] = (int(*)[N])malloc(sizeof(int) * N * 6);
  int(*W)[N] = (int(*)[N])malloc(sizeof(int) * N * 6);
  for (int I = 0; I < 6 * N; ++I)
    V[0][I] = I, W[0][I] = -1;
#pragma acc enter data copyin(V[0 : 6][0 : N], W[0 : 6][0 : N]) deviceid(1)
#pragma acc enter data copyin(V[0 : 6][0 : N], W[0 : 6][0 : N]) deviceid(0)
#pragma acc update peer to(W[1 : 4][2 : 3]) to_device(0) from(V[2 : 4][5 : 3]) \
    from_device(1)
#pragma acc update peer to(W[5][ : ]) to_device(0) from(V[0][ : ])             \
    from_device(1)
#pragma acc update self(W[0 : 6][0 : N]) deviceid(0)
#pragma acc wait device(0)
  int Bad = 0;
  for (int I = 0; I < 6; ++I)
    for (int J = 0; J < N; ++J)
      Bad +=
          W[I][J] != (I == 5                               ? J
                      : I >= 1 && I < 5 && J >= 2 && J < 5 ? (I + 1) * N + J + 3
                                                           : -1);
  free(V);
  free(W);
  return Bad;
}

static int zeroed(void) {
  static int Z[100];
  for (int I = 0; I < 100; ++I)
    Z[I] = I;
#pragma acc data copyout(zero : Z[90 : ])
  {
  }
  int Bad = 0;
  for (int I = 0; I < 100; ++I)
    Bad += Z[I] != (I < 90 ? I : 0);
  return Bad;
}

int main(void) {
  const int R = rows(), T = rectangles(8), Z = zeroed();
  if (R || T || Z)
    printf("%d of rows, %d of rectangles, %d of zeroed are wrong\n", R, T, Z);
  return R + T + Z != 0;
}
