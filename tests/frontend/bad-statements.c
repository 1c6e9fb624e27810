// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic on what is not atomic, routine and declare on what they cannot be.
// RUN: %accx_syntax -ferror-limit=0 -Xclang -verify %s

// clang-format off
void f(int N, int *A) {
  int V, W;
#pragma acc atomic
  V = 1;
// expected-error@-1 {{the statement for 'atomic' must be an expression statement}}
// expected-note@-2 {{expected built-in binary operator}}
#pragma acc atomic
  for (;;)
// expected-error@-1 {{the statement for 'atomic' must be an expression statement}}
// expected-note@-2 {{expected an expression statement}}
    ;
#pragma acc atomic read
  V += A[0];
// expected-error@-1 {{the statement for 'atomic read' must be an expression statement}}
// expected-note@-2 {{expected built-in assignment operator}}
#pragma acc atomic write
  A[0] += 1;
// expected-error@-1 {{the statement for 'atomic write' must be an expression statement}}
// expected-note@-2 {{expected built-in assignment operator}}
#pragma acc atomic update
  A[0] = V;
// expected-error@-1 {{the statement for 'atomic update' must be an expression statement}}
// expected-note@-2 {{expected built-in binary operator}}
#pragma acc atomic capture
  A[0] += 1;
// expected-error@-1 {{the statement for 'atomic capture' must be an expression statement}}
// expected-note@-2 {{expected assignment expression}}
#pragma acc atomic capture
  {
    V = A[0];
// expected-error@-1 {{the statement for 'atomic capture' must be a compound statement}}
    W = A[1];
// expected-note@-1 {{expected in right hand side of the first expression}}
  }
}
#pragma acc routine(undeclared) seq
// expected-error@-1 {{use of undeclared identifier 'undeclared'}}
#pragma acc declare create(undeclared)
// expected-error@-1 {{use of undeclared identifier 'undeclared'}}
#pragma acc routine seq
// expected-error@-1 {{'routine' without a name must stand in front of a function}}
int variable;
#pragma acc routine seq
// expected-error@-1 {{'routine' without a name must stand in front of a function}}
struct S { int X; };
int jump(int N) {
  for (int I = 0; I < N; ++I) {
    float A[10];
#pragma acc declare create(A)
    if (I == 3)
      goto Out;
// expected-error@-1 {{'goto' in a block whose 'declare' would have to give its data back}}
  }
Out:
  return N;
}
#pragma acc update self(variable)
// expected-error@-1 {{'update' must stand in a function}}
#pragma acc wait
// expected-error@-1 {{'wait' must stand in a function}}
#pragma acc parallel
// expected-error@-1 {{'parallel' must stand in a function}}
