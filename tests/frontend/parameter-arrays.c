// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A parameter declared as an array of known length is held and moved whole, as
// its declaration says; one without a length is a pointer.
//
// RUN: %accxcc --accx-targets=host -O2 -Wall -Werror %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %accx_print %s | FileCheck %s --check-prefix=CHECK-PRINT

// CHECK: 6178 5 1 2
// CHECK-PRINT: target data map(ompx_hold,to: A[0:100]) map(ompx_hold,to: c[0:4]) map(ompx_hold,from: r[0:100])
// CHECK-PRINT: target update from(present: r[0:100])

#include <stdio.h>
#include <stdlib.h>
#define N 100
#define M 50
static void f(int n, double A[N][M], double r[N], double *q,
              const double c[static 4]) {
#pragma acc data copyin(A, c) copyout(r)
  {
#pragma acc parallel present(A, r, c) copyout(q[0 : 1])
    {
#pragma acc loop gang
      for (int i = 0; i < n; i++) {
        r[i] = c[i % 4];
        for (int j = 0; j < M; j++)
          r[i] += A[i][j];
      }
      q[0] = 1;
    }
#pragma acc update host(r)
    if (r[99] != 3 + 99 * 50 + 49 * 25)
      exit(3);
    r[98] = 5;
#pragma acc update device(r)
  }
}
static void g(float X[N]) {
#pragma acc enter data copyin(X)
#pragma acc parallel loop present(X)
  for (int i = 0; i < N; i++)
    X[i] += 1;
#pragma acc exit data copyout(X)
#pragma acc parallel loop copy(X)
  for (int i = 0; i < N; i++)
    X[i] += 1;
}
int main(void) {
  static double A[N][M], r[N];
  double q[1], c[4] = {0, 1, 2, 3};
  static float X[N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      A[i][j] = i + j;
  f(N, A, r, q, c);
  g(X);
  printf("%g %g %g %g\n", r[99], r[98], q[0], X[99]);
  return 0;
}
