// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Levels the wrong way round, constructs inside constructs, levels above the
// routine's.
// RUN: %accx_syntax -ferror-limit=0 -Xclang -verify %s

// clang-format off
void f(int N, float *A) {
#pragma acc parallel loop worker
  for (int I = 0; I < N; ++I) {
#pragma acc loop gang
// expected-error@-1 {{'gang' loop inside a loop of a lower level}}
    for (int J = 0; J < N; ++J)
      A[I * N + J] = 1;
  }
#pragma acc parallel loop vector
  for (int I = 0; I < N; ++I) {
#pragma acc loop worker
// expected-error@-1 {{'worker' loop inside a loop of a lower level}}
    for (int J = 0; J < N; ++J)
      A[I * N + J] = 1;
  }
#pragma acc parallel loop vector
  for (int I = 0; I < N; ++I) {
#pragma acc loop gang
// expected-error@-1 {{'gang' loop inside a loop of a lower level}}
    for (int J = 0; J < N; ++J)
      A[I * N + J] = 1;
  }
#pragma acc parallel loop gang
// expected-note@-1 {{enclosing loop is here}}
  for (int I = 0; I < N; ++I) {
    A[I] = 2;
#pragma acc loop gang
// expected-warning@-1 {{'gang' loop inside a 'gang' loop runs sequentially; use collapse for tightly nested loops}}
    for (int J = 0; J < N; ++J)
      A[I * N + J] = 1;
  }
#pragma acc parallel loop gang vector
// expected-note@-1 {{enclosing loop is here}}
  for (int I = 0; I < N; ++I) {
#pragma acc loop vector
// expected-warning@-1 {{'vector' loop inside a 'vector' loop runs sequentially; use collapse for tightly nested loops}}
    for (int J = 0; J < N; ++J)
      A[I * N + J] = 1;
  }
#pragma acc parallel loop gang worker vector
// expected-note@-1 {{enclosing loop is here}}
// expected-note@-2 {{enclosing loop is here}}
  for (int I = 0; I < N; ++I) {
#pragma acc loop worker vector
// expected-warning@-1 {{'worker' loop inside a 'worker' loop runs sequentially; use collapse for tightly nested loops}}
// expected-warning@-2 {{'vector' loop inside a 'vector' loop runs sequentially; use collapse for tightly nested loops}}
    for (int J = 0; J < N; ++J)
      A[I * N + J] = 1;
  }
#pragma acc parallel
  {
#pragma acc parallel
// expected-error@-1 {{'parallel' may not stand in a 'parallel' construct}}
    A[0] = 1;
  }
#pragma acc parallel
  {
#pragma acc data copy(A[0:N])
// expected-error@-1 {{'data' may not stand in a 'parallel' construct}}
    A[0] = 1;
#pragma acc update self(A[0:N])
// expected-error@-1 {{'update' may not stand in a 'parallel' construct}}
  }
#pragma acc kernels
  {
#pragma acc serial
// expected-error@-1 {{'serial' may not stand in a 'kernels' construct}}
    A[0] = 1;
  }
}
#pragma acc routine vector
void vectorRoutine(int N, float *A) {
#pragma acc loop worker
// expected-error@-1 {{'worker' loop in a routine of a lower level}}
  for (int I = 0; I < N; ++I)
    A[I] = 1;
}
#pragma acc routine worker
void workerRoutine(int N, float *A) {
#pragma acc loop gang
// expected-error@-1 {{'gang' loop in a routine of a lower level}}
  for (int I = 0; I < N; ++I)
    A[I] = 1;
}
#pragma acc routine seq
void seqRoutine(int N, float *A) {
#pragma acc loop vector
// expected-error@-1 {{'vector' loop in a routine of a lower level}}
  for (int I = 0; I < N; ++I)
    A[I] = 1;
}
void calls(int N, float *A) {
#pragma acc parallel
  {
#pragma acc wait
// expected-error@-1 {{'wait' may not stand in a 'parallel' construct}}
#pragma acc set device_num(1)
// expected-error@-1 {{'set' may not stand in a 'parallel' construct}}
    A[0] = 1;
  }
}
