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
