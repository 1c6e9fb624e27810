// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers that may overlap: a kernels loop is parallel where the ranges that
// it accesses do not, and gives what it gives in order where they do.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s
// RUN: %accxcc -O2 -Wall -Werror %s -o %t -lm
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY %t | FileCheck %s --check-prefix=RESULT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// CHECK-LABEL: copyUp(
// CHECK: const char *__accx_low_A
// CHECK: if ((__accx_high_A <= __accx_low_B || __accx_high_B <= __accx_low_A)) {
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: A[0:N]) map(ompx_hold,to: B[0:N])
// CHECK: } else {
// CHECK: #pragma omp target map(ompx_hold,tofrom: A[0:N]) map(ompx_hold,to: B[0:N])
static void copyUp(int N, double *A, double *B) {
#pragma acc kernels copy(A[0 : N]) copyin(B[0 : N])
  for (int I = 0; I < N; ++I)
    A[I] = B[I] + 1;
}

// Two parallel loops, each behind its own check.
// CHECK-LABEL: jacobi(
// CHECK: #pragma omp target data
// CHECK: if (
// CHECK: #pragma omp target teams distribute parallel for {{.*}}reduction(max: Error)
// CHECK: } else {
// CHECK: #pragma omp target map(tofrom: Error)
// CHECK: if (
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: } else {
// CHECK: #pragma omp target
static double jacobi(int N, int M, double *A, double *New) {
  double Error = 0;
#pragma acc kernels copy(A[0 : N * M], New[0 : N * M])
  {
    for (int J = 1; J < N - 1; J++)
      for (int I = 1; I < M - 1; I++) {
        New[J * M + I] = 0.25 * (A[J * M + I + 1] + A[J * M + I - 1] +
                                 A[(J - 1) * M + I] + A[(J + 1) * M + I]);
        Error = fmax(Error, fabs(New[J * M + I] - A[J * M + I]));
      }
    for (int J = 1; J < N - 1; J++)
      for (int I = 1; I < M - 1; I++)
        A[J * M + I] = New[J * M + I];
  }
  return Error;
}

// An array and a pointer; variables of C89; backwards.
// CHECK-LABEL: mixed(
// CHECK: if ((__accx_high_P <= __accx_low_Table || __accx_high_Table <= __accx_low_P))
static double Table[200];
static void mixed(int N, double *P) {
  int I;
#pragma acc kernels copy(P[0 : N])
  for (I = N - 1; I >= 0; --I)
    P[I] = Table[2 * I] + Table[I];
}

// The loop's own values take part: nothing can be known ahead.
// CHECK-LABEL: indirect(
// CHECK-NOT: __accx_low
// CHECK: #pragma omp target map(
// CHECK-LABEL: lengthOnDevice(
static void indirect(int N, double *A, double *B, int *At) {
#pragma acc kernels copy(A[0 : N]) copyin(B[0 : N], At[0 : N])
  for (int I = 0; I < N; ++I)
    A[I] = B[At[I]];
}
// CHECK-NOT: __accx_low
// CHECK: #pragma omp target
// CHECK-LABEL: main(
static void lengthOnDevice(int N, double *A, double *B) {
  int Length = 0;
#pragma acc kernels copy(A[0 : N]) copyin(B[0 : N])
  {
    Length = N / 2;
    for (int I = 0; I < Length; ++I)
      A[I] = B[I];
  }
}

enum { Rows = 20, Columns = 50, Size = Rows * Columns };
static double P[3 * Size], Q[3 * Size];
static int At[100];
static double serial(int N, int M, double *A, double *New) {
  double Error = 0;
  for (int J = 1; J < N - 1; J++)
    for (int I = 1; I < M - 1; I++) {
      New[J * M + I] = 0.25 * (A[J * M + I + 1] + A[J * M + I - 1] +
                               A[(J - 1) * M + I] + A[(J + 1) * M + I]);
      Error = fmax(Error, fabs(New[J * M + I] - A[J * M + I]));
    }
  for (int J = 1; J < N - 1; J++)
    for (int I = 1; I < M - 1; I++)
      A[J * M + I] = New[J * M + I];
  return Error;
}
int main(void) {
  for (int Offset = 0; Offset <= Size; Offset += Size / 4) {
    for (int K = 0; K < 3 * Size; K++)
      P[K] = Q[K] = K * 7 % 11;
    copyUp(Size, P + Offset, P);
    for (int I = 0; I < Size; I++)
      Q[Offset + I] = Q[I] + 1;
    const int Copied = memcmp(P, Q, sizeof P);
    const double Error = jacobi(Rows, Columns, P + Offset, P);
    printf("%d %d\n", Copied,
           Error != serial(Rows, Columns, Q + Offset, Q) ||
               memcmp(P, Q, sizeof P));
  }
  for (int K = 0; K < 200; ++K)
    Table[K] = K;
  // Nothing of the table is on the device before.
  mixed(100, Table + 50);
  printf("%g %g\n", Table[149], Table[50]);
  mixed(100, P);
  printf("%g\n", P[99]);
  indirect(100, P, Q, At);
  lengthOnDevice(100, P, Q);
  return 0;
}
// RESULT-COUNT-5: {{^}}0 0
// RESULT: {{^}}297 0
// RESULT: {{^}}345
