// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// private of a sub-array whose length is known at run time: a variable-length
// array on processors; on GPUs, where Clang 19 has none, memory of the heap,
// which goes back wherever the scope is left.
//
// RUN: %accxcc --accx-targets=host -O2 -Wall -Werror %s -o %t
// RUN: %run %t
// RUN: %accxcc --driver-mode=g++ -x c++ --accx-targets=host -O2 -Wall -pedantic -Werror %s -o %t
// RUN: %run %t
// RUN: %accx_print %s | FileCheck %s
// RUN: %accx_print -fplugin-arg-accx-processor %s | FileCheck %s --check-prefix=PROCESSOR --implicit-check-not="private_new(sizeof"

// clang-format off
#include <stdlib.h>

int main(int argc, char **argv) {
  int N = 100 + argc, M = 1000, Bad = 0;
  double *A = (double *)malloc(M * sizeof *A);
  double *Z = (double *)malloc(N * sizeof *Z);
  // CHECK: __accx_private_Z __attribute__((cleanup(__accx_private_free))) = {{.*}}__accx_private_new(sizeof (Z[0]) * (unsigned long)(N), "{{.*}}private-arrays.c:[[#@LINE+2]]: 'Z'");
  // PROCESSOR: typeof (Z[0]) __accx_private_Z[N];
#pragma acc parallel loop copyout(A[0:M]) private(Z[0:N])
  for (int I = 0; I < M; ++I) {
    for (int K = 0; K < N; ++K)
      Z[K] = I + K;
    double Sum = 0;
    if (I % 3 == 0) {
      A[I] = -1;
      continue;
    }
    for (int K = 0; K < N; ++K)
      Sum += Z[N - 1 - K];
    A[I] = Sum;
  }
  for (int I = 0; I < M; ++I)
    Bad += A[I] != (I % 3 ? (double)I * N + N * (N - 1) / 2 : -1);
  // CHECK: __accx_private_new({{.*}}:[[#@LINE+1]]: 'Z'");
#pragma acc parallel num_gangs(8) copyout(A[0:M]) private(Z[0:N])
  {
#pragma acc loop gang
    for (int I = 0; I < M; ++I) {
#pragma acc loop seq
      for (int K = 0; K < N; ++K)
        Z[K] = I + K;
      double Sum = 0;
#pragma acc loop vector reduction(+ : Sum)
      for (int K = 0; K < N; ++K)
        Sum += Z[N - 1 - K];
      A[I] = Sum;
    }
  }
  for (int I = 0; I < M; ++I)
    Bad += A[I] != (double)I * N + N * (N - 1) / 2;
  // A constant length is an array everywhere.
  // CHECK: typeof (Z[0]) __accx_private_Z[10];
#pragma acc parallel loop copyout(A[0:M]) private(Z[0:10])
  for (int I = 0; I < M; ++I) {
    Z[I % 10] = I;
    A[I] = Z[I % 10];
  }
  for (int I = 0; I < M; ++I)
    Bad += A[I] != I;
  return Bad;
}
