// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas in regions, capturing by value and by reference, scalars, arrays,
// pointers and `this`.
//
// RUN: %clangxx -g %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused %t | FileCheck %s
// RUN: %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async %t | FileCheck %s

#include <cstdio>

static int Wrong = 0;
#define EXPECT(Condition)                                                      \
  do {                                                                         \
    if (!(Condition))                                                          \
      std::printf("line %d: %s\n", __LINE__, #Condition), ++Wrong;             \
  } while (0)

struct Holder {
  int Factor;
  double *Data;
  void scale(int N) {
#pragma omp target data map(to : this[0 : 1]) map(tofrom : Data[0 : N])
    {
      auto Body = [=, this](int I) { Data[I] *= Factor; };
#pragma omp target
      for (int I = 0; I < N; ++I)
        Body(I);
    }
  }
};

int main() {
  constexpr int N = 64;
  double A[N], B[N];
  for (int I = 0; I < N; ++I)
    A[I] = I, B[I] = 2 * I;

  // By value: pointers to mapped data become the device's.
  double *P = A, *Q = B;
  int Offset = 3;
  auto Body = [=](int I) { P[I] += Q[I] + Offset; };
#pragma omp target data map(tofrom : P[0 : N]) map(to : Q[0 : N])
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Body(I);
  for (int I = 0; I < N; ++I)
    EXPECT(A[I] == 3 * I + 3);

  // By reference.
  int Sum = 0;
  auto Add = [&](int V) { Sum += V * Offset; };
#pragma omp target map(tofrom : Sum) map(to : Offset)
  for (int I = 0; I < 10; ++I)
    Add(I);
  EXPECT(Sum == 135);

  // Both, and an array by reference.
  int Local[8] = {};
  int Start = 5;
  auto Fill = [&Local, Start](int I) { Local[I] = Start + I; };
#pragma omp target map(tofrom : Local)
  for (int I = 0; I < 8; ++I)
    Fill(I);
  for (int I = 0; I < 8; ++I)
    EXPECT(Local[I] == 5 + I);

  // A lambda that holds a lambda.
  auto Inner = [=](int I) { return P[I] + Offset; };
  auto Outer = [=](int I) { return Inner(I) * 2; };
  double Result[N];
#pragma omp target data map(to : P[0 : N])
  {
#pragma omp target map(from : Result)
    for (int I = 0; I < N; ++I)
      Result[I] = 2 * (P[I] + Offset);
  }
  for (int I = 0; I < N; ++I)
    EXPECT(Result[I] == Outer(I));

  Holder H = {4, B};
  H.scale(N);
  for (int I = 0; I < N; ++I)
    EXPECT(B[I] == 8 * I);
  EXPECT(H.Data == B);

  std::printf("%d wrong\n", Wrong);
  return 0;
}

// CHECK: {{^}}0 wrong
