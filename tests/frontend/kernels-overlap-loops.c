// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of kernels with directives of their own are checked like those
// without: they say nothing of what may overlap.
//
// RUN: %accx_print -Wno-everything -mllvm -accx-merge-levels=0 %s | \
// RUN:   FileCheck %s
// RUN: %plainclang -Wno-everything %s -o %t.serial -lm
// RUN: %t.serial > %t.expected
// RUN: %accxcc -O1 -Wall %s -o %t -lm
// RUN: %run %t | cmp %t.expected -
#include <math.h>
#include <stdio.h>

// CHECK-LABEL: void combined(
// CHECK: if ((__accx_high_A <= __accx_low_B || __accx_high_B <= __accx_low_A)) {
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: } else {
// CHECK: #pragma omp target{{$}}
static void combined(int N, double *A, double *B) {
#pragma acc kernels loop
  for (int I = 0; I < N; ++I)
    A[I] = B[I] + 1;
}

// CHECK-LABEL: double reduced(
// CHECK: if ((__accx_high_A <= __accx_low_B || __accx_high_B <= __accx_low_A)) {
// CHECK: #pragma omp target teams distribute parallel for {{.*}}reduction(max: Max){{.*}}reduction(+: Sum) private(T)
// CHECK: } else {
// CHECK: #pragma omp target map(tofrom: T) map(tofrom: Sum) map(tofrom: Max)
static double reduced(int N, double *A, double *B) {
  double T, Sum = 0, Max = 0;
#pragma acc kernels loop gang vector(64) async(1) if (N > 3)
  for (int I = 0; I < N; ++I) {
    T = B[I];
    A[I] = T + 1;
    Sum += T;
    Max = fmax(Max, T);
  }
#pragma acc wait
  return Sum + Max;
}

// Two loops, and two levels: what is checked ahead of the outer loop does for
// the inner one.
// CHECK-LABEL: double levels(
// CHECK: #pragma omp target teams distribute {{.*}}reduction(+: Sum)
// CHECK: #pragma omp parallel for
// CHECK: } else {
// CHECK: #pragma omp target teams distribute {{.*}}reduction(+: Count)
// CHECK: #pragma omp parallel for reduction(+: Count)
// CHECK: } else {
static double levels(int N, int M, double *A, double *B) {
  double Sum = 0, Count = 3;
#pragma acc kernels
  {
#pragma acc loop reduction(+ : Sum) gang
    for (int I = 1; I < N - 1; ++I)
#pragma acc loop vector reduction(+ : Sum)
      for (int J = 1; J < M - 1; ++J) {
        A[I * M + J] = B[I * M + J + 1] + B[I * M + J - 1];
        Sum += A[I * M + J];
      }
#pragma acc loop
    for (int I = 1; I < N - 1; ++I)
#pragma acc loop
      for (int J = 1; J < M - 1; ++J) {
        B[I * M + J] = A[I * M + J];
        Count += 1;
      }
  }
  return Sum + Count;
}

// In order, private variables would be the program's; what is promised needs
// no check.
// CHECK-LABEL: void unchecked(
// CHECK-NOT: __accx_low
// CHECK-LABEL: int main(
static void unchecked(int N, double *A, double *B) {
  double T[2];
#pragma acc kernels loop private(T)
  for (int I = 0; I < N; ++I) {
    T[0] = B[I];
    A[I] = T[0] + 1;
  }
#pragma acc kernels loop independent
  for (int I = 0; I < N; ++I)
    A[I + 1000] = B[I] + 1;
#pragma acc kernels loop seq
  for (int I = 0; I < N; ++I)
    A[I] = B[I] + 1;
}

static double Memory[2000];
int main(void) {
  for (int At = 0; At < 1200; At += 150) {
    for (int I = 0; I < 2000; ++I)
      Memory[I] = I % 17;
#pragma acc data copy(Memory)
    {
      combined(500, Memory + At, Memory);
      printf("%g\n", reduced(500, Memory, Memory + At / 2));
      printf("%g\n", levels(20, 20, Memory + At, Memory));
      unchecked(30, Memory + 1, Memory + At / 10);
    }
    double Hash = 0;
    for (int I = 0; I < 2000; ++I)
      Hash = Hash * 1.01 + Memory[I];
    printf("%.9g\n", Hash);
  }
  return 0;
}
