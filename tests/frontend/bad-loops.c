// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands behind loop, and how deep it has to be.
// RUN: %accx_syntax -ferror-limit=0 -Xclang -verify %s

// clang-format off
void f(int N, float *A) {
#pragma acc parallel loop
  A[0] = 1;
// expected-error@-1 {{must be a for loop}}
#pragma acc parallel loop
  while (N--)
// expected-error@-1 {{must be a for loop}}
    A[N] = 1;
#pragma acc parallel loop
  for (;;)
// expected-error@-1 {{initialization clause of OpenMP for loop is not in canonical form ('var = init' or 'T var = init')}}
    ;
#pragma acc parallel loop
  for (int I = 0; A[I] > 0; ++I)
// expected-error@-1 {{condition of OpenMP for loop must be a relational comparison ('<', '<=', '>', '>=', or '!=') of loop variable 'I'}}
    A[I] = 1;
#pragma acc parallel loop
  for (float X = 0; X < 1; X += 0.1f)
// expected-error@-1 {{variable must be of integer or pointer type}}
// expected-error@-2 {{expression must have integral or unscoped enumeration type, not 'float'}}
    A[(int)X] = 1;
#pragma acc parallel loop
  for (int I = 1; I < N; I *= 2)
// expected-error@-1 {{increment clause of OpenMP for loop must perform simple addition or subtraction on loop variable 'I'}}
    A[I] = 1;
#pragma acc parallel loop collapse(2)
// expected-error@-1 {{'collapse' needs 2 tightly nested loops; there is 1}}
// expected-note@-2 {{as specified in 'collapse' clause}}
  for (int I = 0; I < N; ++I)
    A[I] = 1;
// expected-error@-1 {{but found only 1}}
#pragma acc parallel loop collapse(3)
// expected-error@-1 {{'collapse' needs 3 tightly nested loops; there are 2}}
// expected-note@-2 {{as specified in 'collapse' clause}}
// expected-warning@-3 {{all iterations write 'A[I]' (line 43)}}
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      A[I] = 1;
// expected-error@-1 {{but found only 2}}
#pragma acc parallel loop tile(2, 2)
// expected-error@-1 {{'tile' needs 2 tightly nested loops; there is 1}}
  for (int I = 0; I < N; ++I)
    A[I] = 1;
// expected-error@-1 {{must be a for loop}}
#pragma acc parallel loop collapse(N)
// expected-error@-1 {{expression is not an integer constant expression}}
  for (int I = 0; I < N; ++I)
    A[I] = 1;
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
    if (A[I] > 0)
      break;
// expected-error@-1 {{'break' statement cannot be used in OpenMP for loop}}
#pragma acc parallel loop
  for (int I = 0; I < N; ++I)
    if (A[I] > 0)
      return;
// expected-error@-1 {{cannot return from OpenMP region}}
}
