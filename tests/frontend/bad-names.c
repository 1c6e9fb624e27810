// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words that OpenACC does not have, with what is meant, and missing ones.
// RUN: %accx_syntax -ferror-limit=0 -Xclang -verify %s

// clang-format off
void f(int N, float *A) {
#pragma acc
// expected-error@-1 {{expected an OpenACC directive}}
#pragma acc paralel
// expected-error@-1 {{unknown OpenACC directive 'paralel'; did you mean 'parallel'?}}
  ;
#pragma acc nothing_like_it
// expected-error@-1 {{unknown OpenACC directive 'nothing_like_it'}}
#pragma acc enter
// expected-error@-1 {{expected 'data' after 'enter'}}
#pragma acc enter loop
// expected-error@-1 {{expected 'data' after 'enter'}}
#pragma acc exit
// expected-error@-1 {{expected 'data' after 'exit'}}
#pragma acc data copyy(A[0:N])
// expected-error@-1 {{unknown OpenACC clause 'copyy'; did you mean 'copy'?}}
  ;
#pragma acc parallel copyout(A[0:N]) gangs(4)
// expected-error@-1 {{unknown OpenACC clause 'gangs' on 'parallel'}}
  ;
#pragma acc parallel zzzz
// expected-error@-1 {{unknown OpenACC clause 'zzzz' on 'parallel'}}
  ;
#pragma acc parallel 4
// expected-error@-1 {{expected an OpenACC clause before '4'}}
  ;
#pragma acc parallel copy(A[0:N]) +
// expected-error@-1 {{expected an OpenACC clause before '+'}}
  ;
#pragma acc parallel, copy(A[0:N])
  ;
#pragma acc parallel copy(A[0:N]),
// expected-error@-1 {{expected an OpenACC clause after ','}}
  ;
#pragma acc parallel {
// expected-error@-1 {{expected an OpenACC clause before '{'}}
  ;
#pragma acc end parallel
// expected-error@-1 {{unknown OpenACC directive 'end'}}
}
