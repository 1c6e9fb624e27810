// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that ends while a queue waits for an event that nobody completed
// does not wait for it: it says what never ran.
//
// RUN: %accxcc %s -o %t
// RUN: not --crash %run %t 2>&1 | FileCheck %s
//
// CHECK: not done, as what it waits for failed: the program ends, and never completed this event

#include <accx/event.h>
#include <stdlib.h>

int main(void) {
  enum { N = 1000 };
  double *A = calloc(N, sizeof(double));
  accx_event_t Never;
#pragma acc enter data copyin(A[0 : N])
  if (accx_event_create_user(&Never) || accx_queue_wait(1, 1, &Never))
    return 2;
#pragma acc parallel loop present(A[0 : N]) async(1)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
  return 0;
}
