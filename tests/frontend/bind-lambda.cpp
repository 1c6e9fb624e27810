// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas as routines, and bind from and to them: code for the device calls
// what is bound to, the host calls the lambda itself. Host and device agree on
// a kernel's arguments: none of the lambdas is one.
//
// RUN: %accxcxx -O0 -Wall %s -o %t0 && %run %t0 | FileCheck %s
// RUN: %accxcxx -O2 -Wall %s -o %t2 && %run %t2 | FileCheck %s
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t2 | FileCheck %s --check-prefix=HOST
// CHECK: routine 6 6
// CHECK: lambda to function -6 6
// CHECK: function to lambda -60 6
// CHECK: lambda to lambda -60 6
// CHECK: named lambda -6 6
// CHECK: from a routine -120 12
// CHECK: local 6 6
// HOST: routine 6 6
// HOST: lambda to function 6 6
// HOST: function to lambda 6 6
// HOST: lambda to lambda 6 6
// HOST: named lambda 6 6
// HOST: from a routine 12 12
// HOST: local 6 6

#include <cstdio>

#pragma acc routine seq
auto plain = [](const int *A, int N) {
  int S = 0;
#pragma acc loop reduction(+ : S)
  for (int I = 0; I < N; ++I)
    S += A[I];
  return S;
};

#pragma acc routine seq bind(minus)
auto lambdaToFunction = [](const int *A, int N) { return plain(A, N); };

#pragma acc routine seq bind(minusTen)
int functionToLambda(const int *A, int N) { return plain(A, N); }

#pragma acc routine vector bind(minusTen)
auto lambdaToLambda = [](const int *A, int N) { return plain(A, N); };

auto named = [](const int *A, int N) {
  int S = 0;
#pragma acc loop reduction(+ : S)
  for (int I = 0; I < N; ++I)
    S += A[I];
  return S;
};
#pragma acc routine(named) seq bind(minus)

int minus(const int *A, int N) {
  int S = 0;
#pragma acc loop reduction(+ : S)
  for (int I = 0; I < N; ++I)
    S -= A[I];
  return S;
}

auto minusTen = [](const int *A, int N) {
  int S = 0;
#pragma acc loop reduction(+ : S)
  for (int I = 0; I < N; ++I)
    S -= 10 * A[I];
  return S;
};

#pragma acc routine seq
int caller(const int *A, int N) {
  return functionToLambda(A, N) + lambdaToLambda(A, N);
}

int main() {
  const int A[3] = {1, 2, 3};
  int R = 0;
#pragma acc serial copyin(A) copyout(R)
  R = plain(A, 3);
  std::printf("routine %d %d\n", R, plain(A, 3));
#pragma acc serial copyin(A) copyout(R)
  R = lambdaToFunction(A, 3);
  std::printf("lambda to function %d %d\n", R, lambdaToFunction(A, 3));
#pragma acc parallel copyin(A) copyout(R)
  R = functionToLambda(A, 3);
  std::printf("function to lambda %d %d\n", R, functionToLambda(A, 3));
  R = 0;
#pragma acc parallel loop copyin(A) reduction(+ : R)
  for (int I = 0; I < 1; ++I)
    R += lambdaToLambda(A, 3);
  std::printf("lambda to lambda %d %d\n", R, lambdaToLambda(A, 3));
#pragma acc serial copyin(A) copyout(R)
  R = named(A, 3);
  std::printf("named lambda %d %d\n", R, named(A, 3));
#pragma acc serial copyin(A) copyout(R)
  R = caller(A, 3);
  std::printf("from a routine %d %d\n", R, caller(A, 3));
#pragma acc routine seq
  auto Local = [](const int *A, int N) {
    int S = 0;
#pragma acc loop reduction(+ : S)
    for (int I = 0; I < N; ++I)
      S += A[I];
    return S;
  };
#pragma acc serial copyin(A) copyout(R)
  R = Local(A, 3);
  std::printf("local %d %d\n", R, Local(A, 3));
}
