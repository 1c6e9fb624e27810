// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A structure of which clauses name members is used whole: the rest of it is
// implicitly copied, as without them.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s
// RUN: %accxcc -O1 -Wall %s -o %t
// RUN: %run %t | FileCheck %s --check-prefix=RESULT
#include <stdio.h>

typedef struct {
  int N;
  double *A, *B;
  int Sum;
} Grid;

// CHECK-LABEL: void add(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: G.A[0:G.N]) map(ompx_hold,to: G.B[0:G.N]) map(tofrom: G)
static void add(Grid G) {
#pragma acc parallel loop copy(G.A[0 : G.N]) copyin(G.B[0 : G.N])
  for (int I = 0; I < G.N; ++I)
    G.A[I] += G.B[I];
}

// CHECK-LABEL: int count(
// CHECK: #pragma omp target map(ompx_hold,tofrom: G.A[0:G.N]) map(tofrom: G)
static int count(Grid G) {
#pragma acc serial copy(G.A[0 : G.N])
  {
    G.Sum = G.N + 1;
    G.A[0] = G.N;
  }
  return G.Sum;
}

// CHECK-LABEL: void constant(
// CHECK: #pragma omp target {{.*}}map(to: G)
static void constant(const Grid G) {
#pragma acc kernels copy(G.A[0 : G.N])
  for (int I = 0; I < G.N; ++I)
    G.A[I] *= 2;
}

// What has to be present stays as it is.
// CHECK-LABEL: void present(
// CHECK: map(ompx_hold,present,alloc: G->A[0:G->N])
// CHECK-NOT: tofrom
// CHECK-LABEL: int main(
static void present(Grid *G) {
#pragma acc enter data copyin(G[0 : 1], G->A[0 : G->N])
#pragma acc parallel loop present(G->A[0 : G->N])
  for (int I = 0; I < G->N; ++I)
    G->A[I] += 1;
#pragma acc exit data copyout(G->A[0 : G->N]) delete (G[0 : 1])
}

int main(void) {
  double A[10], B[10];
  Grid G = {10, A, B, 0};
  for (int I = 0; I < 10; ++I)
    A[I] = B[I] = I;
  add(G);
  printf("%g\n", A[9]);
  printf("%d\n", count(G));
  constant(G);
  present(&G);
  printf("%g %g\n", A[0], A[9]);
  return 0;
}
// RESULT: 18
// RESULT: 11
// RESULT: 21 37
