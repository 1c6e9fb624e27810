// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Directives and clauses out of macros, in C and C++.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s --implicit-check-not="#pragma omp"
// RUN: %accx_print -Wno-everything -x c++ %s | FileCheck %s --implicit-check-not="#pragma omp"

#define DIRECTIVE(x) _Pragma(#x)
#define LOOP DIRECTIVE(acc parallel loop copy(A [0:N]))
#define CLAUSE copy(A [0:N])
#define SECTION(X) X [0:N]
// CHECK-LABEL: macros(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: A[0:N])
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: A[0:N])
// CHECK: #pragma omp target data map(ompx_hold,tofrom: A[0:N]) if(N > 3 ? 1 : 0)
void macros(int N, float *A) {
  LOOP for (int I = 0; I < N; ++I) A[I] += 1;
#pragma acc parallel loop CLAUSE
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc data copy(SECTION(A)) if (N > 3 ? 1 : 0)
  A[0] = 1;
}
