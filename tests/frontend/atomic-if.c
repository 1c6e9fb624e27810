// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic with a condition: the statement is done once either way, of every
// kind, alone behind an `if`, and in a loop.
//
// RUN: %accx_print %s | FileCheck %s --check-prefix=PRINT
// RUN: %accxcc -O1 -Wall %s -o %t && %run %t | FileCheck %s
// PRINT: if (Shared)
// PRINT-NEXT: #pragma omp atomic update
// CHECK: sum 1000
// CHECK: captured 1 3 1
// CHECK: alone 4

#include <stdio.h>

int main(int argc, char **argv) {
  int N = 1000, Shared = argc > 0, Sum = 0;
#pragma acc parallel loop copy(Sum)
  for (int I = 0; I < N; ++I)
#pragma acc atomic update if (Shared)
    Sum += 1;
  printf("sum %d\n", Sum);
  int X = 1, V = 0, W = 0;
#pragma acc serial copy(X, V, W)
  {
#pragma acc atomic capture if (!Shared)
    V = X++;
#pragma acc atomic capture if (Shared)
    {
      W = X;
      X = X + 1;
    }
#pragma acc atomic read if (!Shared)
    W = V;
  }
  printf("captured %d %d %d\n", V, X, W);
#pragma acc serial copy(X)
  {
    if (Shared)
#pragma acc atomic if (!Shared)
      X += 1;
    else
      X = 0;
  }
  printf("alone %d\n", X);
}
