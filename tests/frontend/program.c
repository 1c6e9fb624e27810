// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One program through the plugin alone with OpenMP's flags, and through the
// driver at -O0 and -O2, as C and C++: the same output as its serial form.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %plainclang -Wno-everything %s -o serial
// RUN: ./serial > expected.txt
// RUN: %clang -fplugin=%accx_plugin -fpass-plugin=%accx_plugin %s -o plugin
// RUN: %run ./plugin > plugin.txt
// RUN: cmp expected.txt plugin.txt
// RUN: %accxcc -Wall -O0 %s -o zero
// RUN: %run ./zero > zero.txt
// RUN: cmp expected.txt zero.txt
// RUN: %accxcxx -Wno-deprecated -O2 %s -o two
// RUN: %run ./two > two.txt
// RUN: cmp expected.txt two.txt
// RUN: FileCheck %s < two.txt

#include <stdio.h>

#define N 137
#define M 61

double Weights[M];
#pragma acc declare create(Weights)

#pragma acc routine seq
static double weighted(double X, int J) { return X * Weights[J]; }

#pragma acc routine vector
static double dot(int Count, const double *A, const double *B) {
  double S = 0;
#pragma acc loop vector reduction(+ : S)
  for (int I = 0; I < Count; ++I)
    S += A[I] * B[I];
  return S;
}

static double A[N][M], B[N][M], Rows[N];

static void fill(void) {
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J) {
      A[I][J] = (I * 7 + J * 3) % 11;
      B[I][J] = (I + J) % 5;
    }
}

static double sum(int Count, const double *X) {
  double S = 0;
  for (int I = 0; I < Count; ++I)
    S += X[I] * (I % 17 + 1);
  return S;
}

static int histogram(void) {
  int Bins[11] = {0}, Most = 0;
#pragma acc parallel loop collapse(2) copyin(A) copy(Bins)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J) {
      const int Bin = (int)A[I][J];
#pragma acc atomic update
      Bins[Bin]++;
    }
#pragma acc parallel loop reduction(max : Most) copyin(Bins)
  for (int I = 0; I < 11; ++I)
    Most = Bins[I] > Most ? Bins[I] : Most;
  return Most;
}

int main(void) {
  int I, J;
  double T, Total = 0;
  fill();
  for (J = 0; J < M; ++J)
    Weights[J] = J % 4;
#pragma acc update device(Weights)

#pragma acc data copyin(A) copy(B) copyout(Rows)
  {
    // CHECK: rows
#pragma acc parallel loop gang
    for (I = 0; I < N; ++I) {
      T = 0;
#pragma acc loop vector reduction(+ : T)
      for (J = 0; J < M; ++J)
        T += weighted(A[I][J], J);
      Rows[I] = T + dot(M, A[I], B[I]);
    }
#pragma acc kernels
    {
      for (I = 0; I < N; ++I)
        for (J = 0; J < M; ++J)
          B[I][J] += Rows[I];
      for (I = 1; I < N; ++I)
        B[I][0] = B[I - 1][0] - B[I][0];
    }
#pragma acc parallel loop gang worker reduction(+ : Total) async(1)
    for (I = 0; I < N; ++I) {
#pragma acc loop vector reduction(+ : Total)
      for (J = 0; J < M; ++J)
        Total += B[I][J];
    }
#pragma acc wait(1)
#pragma acc update self(B[10 : 5][0 : M])
    printf("part %.0f\n", sum(5 * M, B[10]));
  }
  printf("rows %.0f\n", sum(N, Rows));
  printf("all %.0f\n", sum(N * M, B[0]));
  printf("total %.0f\n", Total);
  // CHECK: most {{[1-9]}}
  printf("most %d\n", histogram());
  return 0;
}
