// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Subscripts and pointers that an iteration computes into variables, its own
// or those of C89: the loop is proven, or checked, by what they hold.
//
// RUN: %accx_print -Wno-everything -mllvm -accx-merge-levels=0 %s | \
// RUN:   FileCheck %s
// RUN: %accx_syntax -Wno-everything -Rpass-missed=accx -Xclang -verify %s

// clang-format off
// CHECK-LABEL: void assigned(
// CHECK-NOT: __accx_low
// CHECK: #pragma omp target teams distribute
// CHECK: #pragma omp parallel for
void assigned(int N, int M, double *restrict A, double *restrict B) {
  int I, J, K;
#pragma acc kernels copy(A[0:N * M]) copyin(B[0:N * M])
  for (I = 0; I < N; ++I)
    for (J = 0; J < M; ++J) {
      K = I * M + J;
      A[K] = B[K];
    }
}

// CHECK-LABEL: void declared(
// CHECK: const char *__accx_place = (const char *)&(B[((int)(I * M + J))])
// CHECK: #pragma omp target teams distribute
void declared(int N, int M, double *A, double *B) {
#pragma acc kernels copy(A[0:N * M]) copyin(B[0:N * M])
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J) {
      int K = I * M + J;
      A[K] = B[K];
    }
}

// CHECK-LABEL: void rows(
// CHECK: const char *__accx_place = (const char *)&((({{.*}}B + I * M))[J])
// CHECK: const char *__accx_place = (const char *)&((({{.*}}A + I * M))[J])
// CHECK: #pragma omp target teams distribute
void rows(int N, int M, double *A, double *B) {
  double *Row;
#pragma acc kernels copy(A[0:N * M]) copyin(B[0:N * M])
  for (int I = 0; I < N; ++I) {
    const double *From = B + I * M;
    Row = A + I * M;
    for (int J = 0; J < M; ++J)
      Row[J] = From[J];
  }
}

void refused(int N, int M, int *restrict A, int *restrict B) {
  int K = 0, L = 0;
#pragma acc kernels copy(A[0:N]) copyin(B[0:N])
  {
    // expected-remark@+1 {{loop runs sequentially: 'K' (line 52) carries a value from one iteration to the next}}
    for (int I = 0; I < N; ++I) {
      A[K] = 1;
      K = I;
    }
    // expected-remark@+1 {{loop runs sequentially: 'K' (line 52) carries a value from one iteration to the next}}
    for (int I = 0; I < N; ++I) {
      if (B[I])
        K = I;
      A[K] = 1;
    }
    // expected-remark@+1 {{loop runs sequentially: 'A[K]' (line 70) may be the same element in two iterations}}
    for (int I = 0; I < N; ++I) {
      K = I;
      K = K / 2;
      A[K] = 1;
    }
    // expected-remark@+1 {{loop runs sequentially: 'A[K]' (line 75) may be the same element in two iterations}}
    for (int I = 0; I < N; ++I) {
      K = B[I];
      A[K] = 1;
    }
    // What the loop reads takes part.
    // expected-remark@+1 {{loop runs sequentially: 'A[L]' (line 82) may be the same element in two iterations}}
    for (int I = 0; I < N; ++I) {
      int J = B[I];
      L = J + I;
      A[L] = 1;
    }
    // expected-remark@+1 {{loop runs sequentially: 'A[K]' (line 91) may be the same element in two iterations}}
    for (int I = 0; I < N; ++I) {
      switch (B[I]) {
      case 0:
        K = I;
      default:
        K = I;
        A[K] = 1;
      }
    }
  }
}
