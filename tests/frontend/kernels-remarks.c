// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of kernels without a directive that stay sequential say why, naming
// the variable or the access.
//
// RUN: %accx_syntax -Wno-everything -Rpass-missed=accx -Xclang -verify %s

// clang-format off
void unknown(int);
double reasons(int N, double *restrict A, double *restrict B, int *restrict At) {
  double T, S = 0;
#pragma acc kernels copy(A[0:N], B[0:N]) copyin(At[0:N])
  {
    // expected-remark@+1 {{loop runs sequentially: 'A[I - 1]' (line 15) and 'A[I]' (line 15), which is written, may be one element in two iterations}}
    for (int I = 1; I < N; ++I)
      A[I] = A[I - 1] + 1;
    // expected-remark@+1 {{loop runs sequentially: 'A[At[I]]' (line 18) may be the same element in two iterations}}
    for (int I = 0; I < N; ++I)
      A[At[I]] = B[I];
    // expected-remark@+1 {{loop runs sequentially: 'A[0]' (line 21) may be the same element in two iterations}}
    for (int I = 0; I < N; ++I)
      A[0] = B[I];
    // expected-remark@+1 {{loop runs sequentially: the call 'unknown(I)' (line 24) may have effects}}
    for (int I = 0; I < N; ++I)
      unknown(I);
    // expected-remark@+1 {{loop runs sequentially: 'S' (line 10) carries a value from one iteration to the next}}
    for (int I = 0; I < N; ++I)
      S = S * 0.5 + A[I];
    // expected-remark@+1 {{loop runs sequentially: the value of 'T' (line 10) may be needed after the loop}}
    for (int I = 0; I < N; ++I) {
      T = A[I];
      B[I] = T;
    }
    // expected-remark@+1 {{loop runs sequentially: the loop is not in canonical form}}
    for (int I = 0; I < N && A[I] > 0; ++I)
      A[I] = 1;
    // expected-remark@+1 {{loop runs sequentially: the loop may end early}}
    for (int I = 0; I < N; ++I)
      if (A[I] > 7)
        break;
  }
  return S + T;
}
