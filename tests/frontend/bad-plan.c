// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only shows once a program is known to parse: code between collapsed
// loops, which would run too often.
// RUN: %accx_syntax -ferror-limit=0 -Xclang -verify %s

// clang-format off
void between(int N, float *A) {
#pragma acc parallel loop collapse(2)
// expected-error@-1 {{'collapse' needs 2 tightly nested loops; there is 1}}
  for (int I = 0; I < N; ++I) {
    A[I] = 0;
    for (int J = 0; J < N; ++J)
      A[I] += J;
  }
}
void tiled(int N, float *A) {
#pragma acc parallel loop tile(4, 4)
// expected-error@-1 {{'tile' needs 2 tightly nested loops; there is 1}}
  for (int I = 0; I < N; ++I) {
// expected-error@-1 {{must be a for loop}}
    A[I] = 0;
    for (int J = 0; J < N; ++J)
      A[I] += J;
  }
}
