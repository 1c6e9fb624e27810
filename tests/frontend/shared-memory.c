// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On a device that shares the host's memory all data are present: updates,
// `present` and the routines do nothing and fail nowhere.

// RUN: %accxcc %s -o %t
// RUN: env ACCX_HOST_UNIFIED=1 %run %t

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

int Global[10];
#pragma acc declare create(Global)

int main(void) {
  const int N = 1000;
  double *A = malloc(N * sizeof(double)), *B = malloc(N * sizeof(double));
  int Bad = 0;
  for (int I = 0; I < N; ++I)
    A[I] = B[I] = 1;
#pragma acc data copy(A[0 : N])
  {
#pragma acc parallel loop present(A[0 : N])
    for (int I = 0; I < N; ++I)
      A[I] += 1;
#pragma acc update self(A[N - 1 : 1]) async(1)
#pragma acc wait
    Bad |= A[N - 1] != 2;
#pragma acc host_data use_device(A)
    Bad |= (acc_hostptr(A) != A) << 1;
  }
#pragma acc enter data copyin(B[0 : N])
  Global[3] = 4;
#pragma acc update device(Global, B[1 : 5])
#pragma acc parallel loop present(B[0 : N])
  for (int I = 0; I < N; ++I)
    B[I] += Global[3];
#pragma acc update host(B[0 : N])
#pragma acc exit data copyout(B[0 : N])
  Bad |= (B[0] != 5) << 2;
  acc_update_self(A, 8);
#pragma acc update self(A[0 : N])
  Bad |= !acc_is_present(A, 8) << 3;
  if (Bad)
    printf("wrong: %d\n", Bad);
  free(A);
  free(B);
  return Bad;
}
