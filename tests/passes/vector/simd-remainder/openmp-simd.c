// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP's clauses hold in every part: simdlen and safelen bound the lanes of
// each, lastprivate and linear variables end as they do without the directives,
// and `if(0)` leaves the loop alone.
//
// RUN: %plainclang -O1 -fno-vectorize -w %s -o %t.scalar
// RUN: %plainclang -O3 -march=native -fopenmp-simd -w -fplugin=%accx_plugin -fpass-plugin=%accx_plugin -mllvm -accx-simd-remainder %s -o %t.masked
// RUN: %t.scalar > %t.expected
// RUN: %t.masked > %t.found
// RUN: cmp %t.expected %t.found
// RUN: %plainclang -O3 --target=x86_64-linux-gnu -march=skylake-avx512 -fopenmp-simd -w -fplugin=%accx_plugin -fpass-plugin=%accx_plugin -mllvm -accx-simd-remainder -S -emit-llvm %s -o - | FileCheck %s

int printf(const char *, ...);

// CHECK-LABEL: @eight(
// CHECK: call <8 x float> @llvm.masked.load.v8f32
__attribute__((noinline)) float eight(const float *A, int N) {
  float Sum = 0;
#pragma omp simd reduction(+ : Sum) simdlen(8)
  for (int I = 0; I < N; ++I)
    Sum += A[I];
  return Sum;
}

// CHECK-LABEL: @four(
// CHECK: call void @llvm.masked.store.v4f32
__attribute__((noinline)) void four(float *A, int N) {
#pragma omp simd safelen(4)
  for (int I = 0; I < N; ++I)
    A[I + 4] = A[I] + 1;
}

__attribute__((noinline)) int last(const int *A, int N, int *Out) {
  int X = -1;
#pragma omp simd lastprivate(X)
  for (int I = 0; I < N; ++I) {
    X = A[I] * 2;
    Out[I] = X;
  }
  return X;
}

__attribute__((noinline)) int most(const int *A, int N, int Wanted) {
  int Most = -5;
#pragma omp simd reduction(max : Most) if (Wanted)
  for (int I = 0; I < N; ++I)
    Most = A[I] > Most ? A[I] : Most;
  return Most;
}

__attribute__((noinline)) int linear(int *Out, const int *A, int N) {
  int J = 0;
#pragma omp simd linear(J : 1) aligned(Out : 4)
  for (int I = 0; I < N; ++I) {
    Out[I] = A[J];
    J++;
  }
  return J;
}

int main(void) {
  static float A[300];
  static int B[300], Out[300], Copy[300];
  for (int N = 0; N < 130; ++N) {
    for (int I = 0; I < 300; ++I) {
      A[I] = I * 7 % 13;
      B[I] = I * 5 % 31;
    }
    printf("%g %d %d ", eight(A, N), most(B, N, 1), most(B, N, 0));
    // Private variables end undefined where no iteration runs.
    if (N)
      printf("%d ", last(B, N, Out));
    printf("%d", linear(Copy, B, N));
    four(A, N);
    for (int I = 0; I < N + 8; ++I)
      printf(" %g %d %d", A[I], Out[I], Copy[I]);
    printf("\n");
  }
  return 0;
}
