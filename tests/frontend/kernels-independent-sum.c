// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum in a loop of a kernels construct that is said to be independent is a
// reduction: the scalar is shared, and adding to it would be a race. What has a
// clause or an atomic directive already stays as it is.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s
// RUN: %accxcc -O2 %s -o %t && %run %t

#define N 100000

static double A[N];
static int Index[N];

int main(void) {
  double Sum = 0, Nested = 0, Rows = 0, Max = -1, Kept = 0;
  int Count = 0;
  for (int I = 0; I < N; ++I) {
    A[I] = I % 7;
    Index[I] = (I * 7) % N;
  }
  // CHECK: #pragma omp target teams distribute parallel for{{.*}} map(tofrom: Max) reduction(max: Max) map(tofrom: Sum) reduction(+: Sum)
#pragma acc kernels loop independent copyin(A, Index)
  for (int I = 0; I < N; ++I) {
    Sum += A[Index[I]];
    Max = A[I] > Max ? A[I] : Max;
  }
  // CHECK: reduction(+: Nested)
#pragma acc kernels loop independent collapse(2) copyin(A) copy(Nested)
  for (int I = 0; I < 100; ++I)
    for (int J = 0; J < N / 100; ++J)
      Nested += A[I * (N / 100) + J];
  // CHECK: reduction(+: Rows)
#pragma acc kernels copyin(A)
  {
#pragma acc loop independent
    for (int I = 0; I < 100; ++I) {
#pragma acc loop independent
      for (int J = 0; J < N / 100; ++J)
        Rows += A[I * (N / 100) + J];
    }
  }
  // CHECK-NOT: reduction(+: Count)
  // CHECK: reduction(+: Kept)
  // CHECK-NOT: reduction(+: Kept)
#pragma acc kernels loop independent copyin(A) reduction(+ : Kept)
  for (int I = 0; I < N; ++I) {
    Kept += A[I];
#pragma acc atomic
    ++Count;
  }
  double Expected = 0;
  for (int I = 0; I < N; ++I)
    Expected += A[I];
  return Sum != Expected || Nested != Expected || Rows != Expected ||
         Kept != Expected || Max != 6 || Count != N;
}
