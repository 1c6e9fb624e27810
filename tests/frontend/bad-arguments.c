// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments that are missing, malformed or out of range.
// RUN: %accx_syntax -ferror-limit=0 -Xclang -verify %s

// clang-format off
struct S { int X; float P[4]; };
int call(void);
void f(int N, float *A, float B[10][10], struct S *V) {
#pragma acc parallel num_gangs
// expected-error@-1 {{expected '(' after 'num_gangs'}}
// expected-note@-2 {{'num_gangs' takes an argument in parentheses}}
  ;
#pragma acc parallel num_gangs()
// expected-error@-1 {{expected an expression in 'num_gangs'}}
  ;
#pragma acc parallel num_gangs(0)
// expected-warning@-1 {{the argument of 'num_gangs' must be 1 or more; the clause is ignored}}
  ;
#pragma acc parallel num_gangs(1, 2, 3, 4)
// expected-error@-1 {{too many arguments: 'num_gangs' takes at most 3 on 'parallel'}}
  ;
#pragma acc parallel num_workers(1, 2)
// expected-error@-1 {{too many arguments: 'num_workers' takes one on 'parallel'}}
  ;
#pragma acc parallel vector_length(*)
// expected-error@-1 {{'*' is no argument of 'vector_length'}}
  ;
#pragma acc parallel num_gangs(N
// expected-error@-1 {{expected ')'}}
// expected-note@-2 {{to match this '('}}
  ;
#pragma acc parallel if()
// expected-error@-1 {{expected an expression in 'if'}}
  ;
#pragma acc parallel async()
// expected-error@-1 {{expected an expression in 'async'}}
// expected-note@-2 {{without an argument 'async' has no parentheses}}
  ;
#pragma acc parallel wait()
// expected-error@-1 {{expected a queue in 'wait'}}
// expected-note@-2 {{to wait for every queue leave the parentheses out}}
  ;
#pragma acc parallel default(some)
// expected-error@-1 {{unknown argument 'some' of 'default'; did you mean 'none'?}}
// expected-note@-2 {{'default' takes 'none' or 'present'}}
  ;
#pragma acc parallel default()
// expected-error@-1 {{expected 'none' or 'present' in 'default'}}
  ;
#pragma acc data copy
// expected-error@-1 {{expected '(' after 'copy'}}
// expected-note@-2 {{'copy' takes an argument in parentheses}}
  ;
#pragma acc data copy()
// expected-error@-1 {{expected a variable in the list of 'copy'}}
  ;
#pragma acc data copy(A[0:N:2])
// expected-error@-1 {{a sub-array has no stride: expected ']'}}
// expected-note@-2 {{what follows the first ':' is the length}}
  ;
#pragma acc data copy(A[])
// expected-error@-1 {{expected an index or '[first:length]'}}
// expected-note@-2 {{'[:]' is the whole of a dimension whose length is known}}
  ;
#pragma acc data copy(A[0:N],)
// expected-error@-1 {{expected a variable or sub-array in 'copy'}}
  ;
#pragma acc data copy(*A)
// expected-error@-1 {{expected a variable or sub-array in 'copy'}}
// expected-note@-2 {{write 'A[0:1]' for the object that a pointer points to}}
  ;
#pragma acc data copy(call())
// expected-error@-1 {{expected ',' or ')' after a list item of 'copy'}}
// expected-note@-2 {{a list item is a variable, a member or a sub-array, not the result of a call}}
  ;
#pragma acc data copy(A[0:N] B)
// expected-error@-1 {{expected ',' or ')' after a list item of 'copy'}}
  ;
#pragma acc data copy(A[0:N].X)
// expected-error@-1 {{a sub-array has no members}}
// expected-note@-2 {{name an element, as in 'a[i].m', or put the sub-array last, as in 's.a[0:n]'}}
  ;
#pragma acc data copy(3)
// expected-error@-1 {{expected a variable or sub-array in 'copy'}}
  ;
#pragma acc data copy(zero: A[0:N])
// expected-error@-1 {{unknown modifier 'zero' of 'copy'}}
// expected-note@-2 {{'copy' takes 'always', 'alwaysin', 'alwaysout' or 'capture'}}
  ;
#pragma acc data create(readonly: A[0:N])
// expected-error@-1 {{unknown modifier 'readonly' of 'create'}}
// expected-note@-2 {{'create' takes 'zero' or 'capture'}}
  ;
#pragma acc data present(always: A[0:N])
// expected-error@-1 {{'present' takes no modifier: unexpected ':'}}
// expected-note@-2 {{a sub-array stands in brackets, as in 'a[first:length]'}}
  ;
#pragma acc data deviceptr(A[0:N])
// expected-error@-1 {{'deviceptr' takes no sub-array}}
// expected-note@-2 {{name the variable: 'A'}}
  ;
#pragma acc host_data use_device(A[0:N])
// expected-error@-1 {{'use_device' takes no sub-array}}
// expected-note@-2 {{name the variable: 'A'}}
  ;
#pragma acc parallel loop collapse(0)
// expected-error@-1 {{the argument of 'collapse' must be 1 or more}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc parallel loop collapse(2, 3)
// expected-error@-1 {{too many arguments: 'collapse' takes one number of loops}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc parallel loop collapse(slow: 2)
// expected-error@-1 {{unknown modifier 'slow' of 'collapse'}}
// expected-note@-2 {{'collapse' takes 'force'}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc parallel loop tile()
// expected-error@-1 {{expected an expression in 'tile'}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc parallel loop tile(0)
// expected-error@-1 {{the argument of 'tile' must be 1 or more}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc parallel loop gang(dim: 4)
// expected-error@-1 {{'dim' of 'gang' is 1, 2 or 3}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc parallel loop gang(width: 4)
// expected-error@-1 {{unknown argument 'width' of 'gang'}}
// expected-note@-2 {{'gang' takes 'num', 'dim' or 'static'}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc parallel loop vector(num: 4)
// expected-error@-1 {{unknown argument 'num' of 'vector'}}
// expected-note@-2 {{'vector' takes 'length'}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc parallel loop seq(2)
// expected-error@-1 {{'seq' takes no argument on 'parallel loop'}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc parallel loop reduction(A)
// expected-error@-1 {{missing operator in 'reduction'}}
// expected-note@-2 {{write 'reduction(operator: list)', where the operator is '+', '*', 'max', 'min', '&', '|', '^', '&&' or '||'}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc parallel loop reduction(+ N)
// expected-error@-1 {{expected ':' after the operator of 'reduction'}}
// expected-note@-2 {{write 'reduction(operator: list)', where the operator is '+', '*', 'max', 'min', '&', '|', '^', '&&' or '||'}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc parallel loop reduction(/: N)
// expected-error@-1 {{'/' is no operator of 'reduction'}}
// expected-note@-2 {{write 'reduction(operator: list)', where the operator is '+', '*', 'max', 'min', '&', '|', '^', '&&' or '||'}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc parallel loop reduction(-: N)
// expected-warning@-1 {{'-' is no operator of OpenACC's 'reduction'; '+' is assumed, which combines differences as well}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc parallel loop reduction(: N)
// expected-error@-1 {{missing operator before ':' in 'reduction'}}
// expected-note@-2 {{write 'reduction(operator: list)', where the operator is '+', '*', 'max', 'min', '&', '|', '^', '&&' or '||'}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc parallel loop reduction(+:)
// expected-error@-1 {{expected a variable in the list of 'reduction'}}
  for (int I = 0; I < N; ++I)
    ;
#pragma acc wait(devnum: 1, 2)
// expected-error@-1 {{expected ':' after the device number in 'wait'}}
// expected-note@-2 {{write 'wait(devnum: device : queues: list)'}}
#pragma acc cache
// expected-error@-1 {{expected '(' after 'cache'}}
// expected-note@-2 {{write 'cache(list)' with array elements or sub-arrays}}
#pragma acc cache(A)
// expected-warning@-1 {{'cache' takes array elements and sub-arrays; 'A' is not cached}}
// expected-note@-2 {{name the part that an iteration uses, as in 'A[i:1]'}}
#pragma acc parallel device_type()
// expected-error@-1 {{expected a device type in 'device_type'}}
// expected-note@-2 {{name device types, as in 'device_type(nvidia, host)', or all with 'device_type(*)'}}
  ;
#pragma acc init device_type(*, host)
// expected-error@-1 {{'*' stands alone in 'device_type'}}
#pragma acc data copy((A[0:N])
// expected-error@-1 {{expected ')'}}
// expected-note@-2 {{to match this '('}}
  ;
}
#pragma acc routine() seq
// expected-error@-1 {{expected the name of a function in 'routine'}}
#pragma acc routine(3) seq
// expected-error@-1 {{expected the name of a function in 'routine'}}
#pragma acc routine gang(num: 3)
// expected-error@-1 {{unknown argument 'num' of 'gang'}}
// expected-note@-2 {{'gang' takes 'dim'}}
void g(void);
#pragma acc routine seq bind(
// expected-error@-1 {{expected ')'}}
// expected-note@-2 {{to match this '('}}
void h(void);
#pragma acc routine worker(2)
// expected-error@-1 {{'worker' takes no argument on 'routine'}}
void i(void);
