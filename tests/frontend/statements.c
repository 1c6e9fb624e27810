// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Directives where a statement stands: behind if, else, loops, labels and
// cases, last in a block, in a statement expression.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s --implicit-check-not="#pragma omp"

// CHECK-LABEL: ifs(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: A[0:N])
// CHECK: #pragma omp target update from(present: A[0:N])
// CHECK: #pragma omp target data map(ompx_hold,tofrom: A[0:N])
// CHECK: __accx_acc_wait_all();
// CHECK: __accx_async_begin(-1);
// CHECK: #pragma omp target update to(present: A[0:N])
// CHECK: __accx_async_end();
// CHECK: #pragma omp target enter data map(to: A[0:N])
void ifs(int N, float *A, int C) {
  if (C)
#pragma acc parallel loop copy(A[0 : N])
    for (int I = 0; I < N; ++I)
      A[I] += 1;
  else
#pragma acc update self(A[0 : N])
      if (C > 3)
#pragma acc data copy(A[0 : N])
    A[0] = 1;
  else
    A[0] = 2;
  while (C--)
#pragma acc wait
    for (int I = 0; I < 3; ++I)
#pragma acc update device(A[0 : N]) async
      do
#pragma acc enter data copyin(A[0 : N])
        while (C-- > 0)
          ;
}

// CHECK-LABEL: labels(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: A[0:N])
// CHECK: #pragma omp target update from(present: A[0:N])
// CHECK: #pragma omp target teams num_teams(1)
// CHECK: __accx_acc_wait_all();
// CHECK: __accx_acc_wait_all();
void labels(int N, float *A) {
  goto Go;
Go:
#pragma acc parallel loop copy(A[0 : N])
  for (int I = 0; I < N; ++I)
    A[I] += 1;
  switch (N) {
  case 1:
#pragma acc update self(A[0 : N])
    break;
  case 2:
#pragma acc parallel
    A[0] = 1;
    break;
  default:
#pragma acc wait
      ;
  }
End:
#pragma acc wait
}

// CHECK-LABEL: expressions(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,to: A[0:N]) map(tofrom: S) reduction(+: S)
int expressions(int N, float *A) {
  return ({
    int S = 0;
#pragma acc parallel loop reduction(+ : S) copyin(A[0 : N])
    for (int I = 0; I < N; ++I)
      S += A[I];
    S;
  });
}

// CHECK-LABEL: lastInBlock(
// CHECK: __accx_acc_wait_all();
// CHECK: #pragma omp target update to(present: A[I:1])
void lastInBlock(int N, float *A) {
  {
#pragma acc wait
  }
  for (int I = 0; I < N; ++I) {
    A[I] = 1;
#pragma acc update device(A[I : 1])
  }
}
