// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that are not there, have no clause, or cannot be what a clause
// makes of them. Every message is at the acc line.
// RUN: %accx_syntax -ferror-limit=0 -Xclang -verify %s

// clang-format off
struct S { int X; };
void g(void);
void f(int N, float *A, struct S V) {
// expected-note@-1 {{'V' defined here}}
  const int C = 1;
// expected-note@-1 {{'C' defined here}}
// expected-note@-2 {{'C' defined here}}
#pragma acc parallel copy(Nowhere)
// expected-error@-1 {{use of undeclared identifier 'Nowhere'}}
  ;
#pragma acc parallel if(Nowhere)
// expected-error@-1 {{use of undeclared identifier 'Nowhere'}}
  ;
#pragma acc parallel num_gangs(Nowhere)
// expected-error@-1 {{use of undeclared identifier 'Nowhere'}}
  ;
#pragma acc parallel loop private(Nowhere) reduction(+: Neither)
// expected-error@-1 {{use of undeclared identifier 'Nowhere'}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc enter data copyin(Nowhere[0:N])
// expected-error@-1 {{use of undeclared identifier 'Nowhere'}}
#pragma acc update self(Nowhere)
// expected-error@-1 {{use of undeclared identifier 'Nowhere'}}
// expected-error@-2 {{expected at least one 'to' clause or 'from' clause specified to '#pragma omp target update'}}
#pragma acc data copy(V.Y)
// expected-error@-1 {{no member named 'Y' in 'struct S'}}
  ;
#pragma acc data copy(N[0:2])
// expected-error@-1 {{subscripted value is not an array or pointer}}
  ;
#pragma acc data copy(A[0:V])
// expected-error@-1 {{expression must have integral or unscoped enumeration type, not 'struct S'}}
  ;
#pragma acc data copy(A)
// expected-warning@-1 {{'A' is a pointer: 'copy' without a sub-array holds the pointer alone; write 'A[first:count]' for what it points to}}
  ;
#pragma acc enter data copyin(A)
// expected-warning@-1 {{'A' is a pointer: 'copyin' without a sub-array holds the pointer alone; write 'A[first:count]' for what it points to}}
#pragma acc parallel loop reduction(+: V)
// expected-error@-1 {{list item of type 'struct S' is not valid for specified reduction operation: unable to provide default initial}}
  for (int I = 0; I < N; ++I)
    V.X += I;
#pragma acc parallel loop reduction(&: A[0:1])
// expected-error@-1 {{invalid operands to binary expression ('float' and 'float')}}
  for (int I = 0; I < N; ++I)
    A[0] += I;
#pragma acc parallel loop reduction(+: A)
// expected-error@-1 {{invalid operands to binary expression ('float *' and 'float *')}}
  for (int I = 0; I < N; ++I)
    A += I;
#pragma acc parallel loop reduction(+: C)
// expected-error@-1 {{const-qualified variable cannot be reduction}}
  for (int I = 0; I < N; ++I)
    A[I] = C;
#pragma acc parallel reduction(+: g)
// expected-error@-1 {{expected addressable lvalue in 'map' clause}}
// expected-error@-2 {{expected variable name, array element or array section}}
  ;
#pragma acc parallel private(C)
// expected-error@-1 {{const-qualified variable cannot be private}}
  ;
#pragma acc parallel private(g)
// expected-error@-1 {{expected variable name}}
  ;
#pragma acc parallel default(none)
// expected-error@-1 {{variable 'N' has no data clause, and this construct says 'default(none)'}}
// expected-error@-2 {{variable 'A' has no data clause, and this construct says 'default(none)'}}
  A[0] = N;
#pragma acc parallel loop default(none) copy(A[0:N])
// expected-error@-1 {{variable 'N' has no data clause, and this construct says 'default(none)'}}
// expected-error@-2 {{variable 'V' has no data clause, and this construct says 'default(none)'}}
  for (int I = 0; I < N; ++I)
    A[I] = V.X;
}
