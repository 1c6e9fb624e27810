// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over several dimensions, collapsed by OpenMP or with divisions of their
// own, signed and unsigned, of negative counters and divisors, and with
// counters that wrap: what they write, with the pass and without it.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %plainclang -w -O3 -march=native -fopenmp -fplugin=%accx_plugin -fpass-plugin=%accx_plugin -Rpass=simd-rows %s -o %t/rows 2> %t/remarks
// RUN: %plainclang -w -O1 -fno-vectorize -fopenmp %s -o %t/plain
// RUN: env OMP_NUM_THREADS=2 %t/rows > %t/rows.txt
// RUN: env OMP_NUM_THREADS=2 %t/plain > %t/plain.txt
// RUN: cmp %t/plain.txt %t/rows.txt
// RUN: FileCheck %s < %t/plain.txt
// RUN: grep 'row by row' %t/remarks | cut -d: -f2 | sort -u | wc -l | FileCheck %s --check-prefix=LOOPS
// CHECK: sum
// LOOPS: 9

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 4096 };
static int Out[SIZE];
static unsigned Sum;

static void show(void) {
  for (int I = 0; I < SIZE; ++I)
    Sum = Sum * 31 + (unsigned)Out[I];
  memset(Out, 0, sizeof Out);
}

static void collapsed(int N, int M) {
#pragma omp parallel for collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      Out[I * M + J] = I * 1000 + J;
}

static void backwards(unsigned N, long M) {
#pragma omp parallel for collapse(2) schedule(static, 5)
  for (unsigned I = N; I > 0; --I)
    for (long J = M; J > 0; J -= 2)
      Out[I * M - J] = (int)(I * 77 + J);
}

static int three(int N, int M, int L) {
  int S = 0;
#pragma omp parallel for collapse(3) reduction(+ : S) schedule(dynamic, 7)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      for (int K = 0; K < L; ++K)
        S += I * J ^ K;
  return S;
}

static void simd(int N, int M, float *A) {
#pragma omp simd collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      A[I * M + J] = (float)(I - J);
}

static void divided(int From, int To, int M, int L) {
  for (int P = From; P < To; ++P)
    Out[P - From] = P / M * 100 + P % L * 7 + (P + 3) % M;
}

static void divisions(unsigned From, unsigned Count, unsigned M) {
  for (unsigned T = 0; T < Count; ++T)
    Out[T] = (int)((From + T) / M * 3 + (From + T) % 50);
}

static void wide(long From, long To, int M) {
  for (long P = From; P <= To; ++P)
    Out[P - From] = (int)P / M;
}

static void constant(int N) {
  for (int P = 0; P < N; ++P)
    Out[P] = P / 200 + P % 200 * 5;
}

static long carried(unsigned char From, int N, int M) {
  long A = 1, B = From;
  for (int P = From; P < N; ++P) {
    const long T = A;
    A = B + P / M;
    B = T - P % M;
  }
  return A * 3 + B;
}

int main(void) {
  static const int Sizes[] = {0, 1, 2, 3, 7, 8, 9, 16, 31, 33, 64};
  for (int I = 0; I < 11; ++I)
    for (int J = 0; J < 11; ++J) {
      const int N = Sizes[I], M = Sizes[J];
      collapsed(N, M), show();
      backwards((unsigned)N, M), show();
      Sum = Sum * 31 + (unsigned)three(N, M, 5) + (unsigned)three(5, N, M);
      simd(N, M, (float *)Out), show();
      const int D = M ? M : 11;
      divided(0, N * 9, D, D + 2), show();
      divided(-N * 5, N * 9, D, -D), show();
      divided(INT_MAX - 200, INT_MAX - 3, D, 100), show();
      divided(-300, 300, -D, D), show();
      divisions(0, (unsigned)N * 11, (unsigned)D), show();
      divisions(UINT_MAX - 50, 200, (unsigned)D), show();
      wide(-100, N * 20, D), show();
      wide(INT_MAX - 100L, INT_MAX + 100L, D), show();
      wide((1L << 32) - 100, (1L << 32) + 100, D), show();
      constant(N * 60), show();
      Sum = Sum * 31 + (unsigned)carried((unsigned char)M, N * 20, D);
    }
  printf("sum %u\n", Sum);
  return 0;
}
