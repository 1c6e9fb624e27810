// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `cache` is a hint: sections of it that leave their array end nothing, and
// kernels have no checks of sections.

// RUN: %accxcc -O2 %s -o %t && %run %t
// RUN: %accx_print %s | FileCheck %s --implicit-check-not="__accx_within(("

#include <stdlib.h>

int main(void) {
  int A[8], B[8], First = 5;
  for (int I = 0; I < 8; ++I)
    A[I] = I;
  // CHECK: __accx_within((long)(First - 5)
#pragma acc parallel loop copyin(A[First - 5 : 8]) copyout(B)
  for (int I = 0; I < 8; ++I) {
    int Own[4];
#pragma acc cache(A[I - First : First])
#pragma acc loop seq private(Own[0 : First - 4])
    for (int J = 0; J < 1; ++J)
      Own[0] = A[I];
    B[I] = A[I];
  }
  for (int I = 0; I < 8; ++I)
    if (B[I] != I)
      return 1;
  return 0;
}
