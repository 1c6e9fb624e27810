// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The optimizer does not warn of device loops that it cannot vectorize, unless
// it is asked to.
//
// RUN: %prefix/bin/accxcc -O2 -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %prefix/bin/accxcc -O2 -Wall -Wpass-failed -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: warning: {{.*}}loop not vectorized

void chase(double *A, int N) {
#pragma acc parallel loop copy(A[0 : N * N])
  for (int I = 0; I < N; I++) {
#pragma acc loop vector
    for (int J = 0; J < N; J++) {
      int K = J;
      while (K > 0 && A[K] > 0)
        K /= 2;
      A[I * N + J] = K;
    }
  }
#pragma omp target teams distribute parallel for simd map(tofrom : A[0 : N])
  for (int I = 0; I < N; I++) {
    int K = I;
    while (K > 0 && A[K] > 0)
      K /= 2;
    A[I] = K + A[I + 1];
  }
}
