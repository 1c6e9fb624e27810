// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `data async` queues its begin and its end. A construct inside of it is done
// when the thread goes on, unless it has an async clause of its own.

// RUN: %accxcc %s -o %t
// RUN: %run %t
// RUN: env ACCX_HOST_UNIFIED=1 %run %t

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

static int Queue = 3;
static int next(void) { return Queue++; }

int main(void) {
  const int N = 1 << 20;
  double *A = malloc(N * sizeof(double)), *B = malloc(N * sizeof(double));
  int Bad = 0;
  for (int I = 0; I < N; ++I)
    A[I] = B[I] = 1;
#pragma acc data copy(A[0 : N]) async(next())
  {
    acc_set_default_async(9);
#pragma acc data copy(B[0 : N]) async
    {
#pragma acc wait
#pragma acc parallel loop present(A[0 : N])
      for (int I = 0; I < N; ++I)
        for (int K = 0; K < 20; ++K)
          A[I] = A[I] * 0.5 + 1;
      // The host waits neither for the loop nor for the update.
#pragma acc update self(A[N - 1 : 1])
      Bad |= (A[N - 1] < 1.99) << 0;
#pragma acc parallel loop present(B[0 : N]) async(9)
      for (int I = 0; I < N; ++I)
        B[I] = 5;
      acc_set_default_async(4);
    }
    // B's copy to the host went to the queue that was the default at its begin.
#pragma acc wait(9)
    Bad |= (B[0] != 5 || B[N - 1] != 5) << 1;
  }
#pragma acc wait(3)
  Bad |= (A[0] < 1.99) << 2;
  Bad |= (Queue != 4) << 3;
  if (Bad)
    printf("wrong: %d\n", Bad);
  free(A);
  free(B);
  return Bad;
}
