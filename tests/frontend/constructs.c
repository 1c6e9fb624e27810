// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What parallel, kernels and serial become, with and without a loop.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s --implicit-check-not="#pragma omp"

void work(int);

// CHECK-LABEL: parallel(
// CHECK: #pragma omp target teams map(ompx_hold,tofrom: A[0:N]) num_teams(1)
void parallel(int N, float *A) {
#pragma acc parallel copy(A[0 : N])
  {
    A[0] = 1;
  }
}

// CHECK-LABEL: parallelEmpty(
// CHECK: #pragma omp target teams num_teams(1)
void parallelEmpty(void) {
#pragma acc parallel
  ;
}

// CHECK-LABEL: parallelLoop(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: A[0:N])
void parallelLoop(int N, float *A) {
#pragma acc parallel loop copy(A[0 : N])
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

// A loop that is all there is in the construct is fused with it.
// CHECK-LABEL: parallelOnlyLoop(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: A[0:N])
void parallelOnlyLoop(int N, float *A) {
#pragma acc parallel copy(A[0 : N])
  {
#pragma acc loop gang vector
    for (int I = 0; I < N; ++I)
      A[I] += 1;
  }
}

// CHECK-LABEL: parallelTwoLoops(
// CHECK: #pragma omp target teams map(ompx_hold,tofrom: A[0:N]) num_teams(__accx_gangs(0))
// CHECK: #pragma omp distribute parallel for
// CHECK: #pragma omp distribute parallel for
void parallelTwoLoops(int N, float *A) {
#pragma acc parallel copy(A[0 : N])
  {
#pragma acc loop gang vector
    for (int I = 0; I < N; ++I)
      A[I] += 1;
#pragma acc loop gang vector
    for (int I = 0; I < N; ++I)
      A[I] += 2;
  }
}

// CHECK-LABEL: parallelSizes(
// CHECK: #pragma omp target teams distribute parallel for num_teams(__accx_gangs((G))) thread_limit((W) * (V))
// CHECK: #pragma omp target teams distribute parallel for num_teams(__accx_gangs((4) * (2)))
// CHECK: #pragma omp target teams distribute parallel for thread_limit((4))
void parallelSizes(int N, float *A, int G, int W, int V) {
#pragma acc parallel loop gang num_gangs(G) num_workers(W) vector_length(V)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc parallel loop gang num_gangs(4, 2)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc parallel loop gang worker num_workers(4)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

// CHECK-LABEL: serial(
// CHECK: #pragma omp target map(ompx_hold,to: A[0:N])
void serial(int N, float *A) {
#pragma acc serial copyin(A[0 : N])
  {
    A[0] = 1;
  }
}

// Levels mean nothing where there is one thread.
// CHECK-LABEL: serialLoop(
// CHECK: #pragma omp target map(ompx_hold,tofrom: A[0:N])
// CHECK: #pragma omp target map(ompx_hold,tofrom: A[0:N])
void serialLoop(int N, float *A) {
#pragma acc serial loop gang vector copy(A[0 : N])
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc serial copy(A[0 : N])
  {
#pragma acc loop worker
    for (int I = 0; I < N; ++I)
      A[I] += 1;
  }
}

// CHECK-LABEL: conditions(
// CHECK: #pragma omp target teams distribute parallel for if(target: (C > 1))
// CHECK: #pragma omp target teams distribute parallel for if(target: !(C))
// CHECK: #pragma omp target if(target: 0)
void conditions(int N, float *A, int C) {
#pragma acc parallel loop if (C > 1)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc parallel loop self(C)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc serial self
  A[0] = 1;
}

// CHECK-LABEL: kernelsLoop(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: A[0:N])
void kernelsLoop(int N, float *A) {
#pragma acc kernels loop independent copy(A[0 : N])
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

// CHECK-LABEL: kernelsNoLoop(
// CHECK: #pragma omp target map(ompx_hold,tofrom: A[0:N])
void kernelsNoLoop(int N, float *A) {
#pragma acc kernels copy(A[0 : N])
  {
    A[0] = 1;
  }
}
