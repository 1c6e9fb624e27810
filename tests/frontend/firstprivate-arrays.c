// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// firstprivate of a sub-array that a pointer points to: every gang begins with
// the host's values and keeps what it writes to itself.
//
// RUN: %accxcc --accx-targets=host -O2 -Wall -Werror %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %accx_print %s | FileCheck %s --check-prefix=CHECK-PRINT

#include <stdio.h>
#include <stdlib.h>

static int wrong;

// Nobody writes it: no copies.
// CHECK-PRINT-LABEL: void readOnly(
// CHECK-PRINT: #pragma omp target teams {{.*}}map(ompx_hold,to: C[0:N])
// CHECK-PRINT-NOT: __accx_private_C
// CHECK-PRINT-LABEL: void written(
void readOnly(int N, double *C, double *D) {
#pragma acc parallel copy(D[0 : 10 * N]) firstprivate(C[0 : N])
  {
#pragma acc loop gang
    for (int X = 0; X < 10; ++X) {
#pragma acc loop worker
      for (int Y = 0; Y < N; ++Y)
        D[X * N + Y] += C[Y];
    }
  }
}

// CHECK-PRINT: __accx_private_C[__accx_k] = C[__accx_k + (Low)]
void written(int Low, int N, int *C, int *Sums) {
#pragma acc parallel num_gangs(7) copy(Sums[0 : 70]) firstprivate(C[Low : N])
  {
#pragma acc loop gang
    for (int X = 0; X < 70; ++X) {
      C[Low] = X;
      int Sum = 0;
      for (int Y = Low; Y < Low + N; ++Y)
        Sum += C[Y];
      Sums[X] = Sum;
    }
  }
}

int main(void) {
  enum { N = 33 };
  double *C = malloc(N * sizeof(*C)), *D = malloc(10 * N * sizeof(*D));
  int *I = malloc((N + 5) * sizeof(*I)), Sums[70], Expected = 0;
  for (int K = 0; K < N; ++K)
    C[K] = K;
  for (int K = 0; K < 10 * N; ++K)
    D[K] = 2 * K;
  for (int K = 0; K < N + 5; ++K) {
    I[K] = K * K;
    Expected += K >= 5 ? K * K : 0;
  }
  readOnly(N, C, D);
  written(5, N, I, Sums);
  for (int K = 0; K < 10 * N; ++K)
    wrong += D[K] != 2 * K + K % N;
  for (int K = 0; K < 70; ++K)
    wrong += Sums[K] != Expected - 25 + K;
  for (int K = 0; K < N + 5; ++K)
    wrong += I[K] != K * K;
  // CHECK: {{^}}0 wrong
  printf("%d wrong\n", wrong);
  free(C);
  free(D);
  free(I);
  return 0;
}
