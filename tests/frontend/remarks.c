// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops run in parallel, and why others do not: -Rpass=accx says it at
// the directive.
//
// RUN: %accx_syntax -Wno-everything -Rpass=accx -Xclang -verify %s

// clang-format off
void proven(int N, float *restrict A, const float *restrict B) {
#pragma acc kernels loop
// expected-remark@-1 {{'kernels loop' becomes 'target teams distribute parallel for'}}
  for (int I = 0; I < N; ++I)
    A[I] = B[I] * 2;
#pragma acc parallel loop auto
// expected-remark@-1 {{'parallel loop' becomes 'target teams distribute parallel for'}}
  for (int I = 0; I < N; ++I)
    A[I] = B[I] * 2;
}
void arrays(void) {
  static float A[100], B[100][100];
#pragma acc kernels loop
// expected-remark@-1 {{'kernels loop' becomes 'target teams distribute parallel for'}}
  for (int I = 0; I < 99; ++I)
    A[I] = A[I] + 1;
#pragma acc kernels loop collapse(2)
// expected-remark@-1 {{'kernels loop' becomes 'target teams distribute parallel for' collapse(2)}}
  for (int I = 0; I < 100; ++I)
    for (int J = 0; J < 100; ++J)
      B[I][J] = I + J;
#pragma acc kernels loop
// expected-remark@-1 {{'kernels loop' becomes 'target teams distribute parallel for'}}
  for (int I = 0; I < 50; ++I)
    A[2 * I] = A[2 * I + 1];
}
void carried(void) {
  static float A[100], B[100][100];
#pragma acc kernels loop
// expected-remark@-1 {{'kernels loop' becomes 'target'; the loop runs sequentially: 'A[I - 1]'}}
  for (int I = 1; I < 100; ++I)
    A[I] = A[I - 1];
#pragma acc kernels loop
// expected-remark@-1 {{'kernels loop' becomes 'target'; the loop runs sequentially: 'A[I + 1]'}}
  for (int I = 0; I < 99; ++I)
    A[I] = A[I + 1];
#pragma acc kernels loop
// expected-remark@-1 {{'kernels loop' becomes 'target'; the loop runs sequentially: 'A[I % 10]'}}
  for (int I = 0; I < 100; ++I)
    A[I % 10] = I;
#pragma acc kernels loop
// expected-remark@-1 {{'kernels loop' becomes 'target'; the loop runs sequentially: 'B[I][0]'}}
  for (int I = 0; I < 100; ++I)
    B[0][I] = B[I][0];
#pragma acc parallel loop auto
// expected-remark@-1 {{'parallel loop' becomes 'target'; the loop runs sequentially: 'A[I - 1]'}}
  for (int I = 1; I < 100; ++I)
    A[I] = A[I - 1];
}
void mayOverlap(int N, float *A, float *B) {
#pragma acc kernels loop
// expected-remark@-1 {{'kernels loop' becomes 'target teams distribute parallel for'}}
// expected-remark@-2 {{where memory does not overlap, which is checked at run time: else 'B[I + 1]'}}
  for (int I = 0; I < N; ++I)
    A[I] = B[I + 1];
}
void declared(int N, float *A, float *B) {
#pragma acc kernels loop independent
// expected-remark@-1 {{'kernels loop' becomes 'target teams distribute parallel for'}}
  for (int I = 0; I < N; ++I)
    A[I] = B[I + 1];
#pragma acc kernels loop seq
// expected-remark@-1 {{'kernels loop' becomes 'target'}}
  for (int I = 0; I < N; ++I)
    A[I] = I;
}
float scalars(int N) {
  static float A[100];
  float S = 0, T;
#pragma acc kernels loop
// expected-remark@-1 {{'kernels loop' becomes 'target teams distribute parallel for' private(T)}}
  for (int I = 0; I < 100; ++I) {
    T = A[I];
    A[I] = T * T;
  }
#pragma acc kernels loop
// expected-remark@-1 {{'kernels loop' becomes 'target teams distribute parallel for' map(tofrom: S) reduction(+: S)}}
  for (int I = 0; I < 100; ++I)
    S += A[I];
#pragma acc kernels loop
// expected-remark@-1 {{'kernels loop' becomes 'target' map(tofrom: S); the loop runs sequentially: 'S'}}
  for (int I = 0; I < 100; ++I) {
    A[I] = S;
    S = I;
  }
#pragma acc kernels loop reduction(+: S)
// expected-remark@-1 {{'kernels loop' becomes 'target teams distribute parallel for' map(tofrom: S) reduction(+: S)}}
  for (int I = 0; I < 100; ++I)
    S += A[I];
  return S;
}
void unknown(int);
void calls(int N) {
  static float A[100];
#pragma acc kernels loop
// expected-remark@-1 {{'kernels loop' becomes 'target'; the loop runs sequentially: the call 'unknown(I)'}}
  for (int I = 0; I < 100; ++I) {
    A[I] = 1;
    unknown(I);
  }
#pragma acc kernels loop
// expected-remark@-1 {{'kernels loop' becomes 'target'; the loop runs sequentially: the loop may end early}}
  for (int I = 0; I < 100; ++I) {
    A[I] = 1;
    if (A[I] > N)
      break;
  }
}
