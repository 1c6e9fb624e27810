// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops dealt out in runs, or strided: each iteration runs once, in nests,
// where neighbouring iterations join, and for all numbers of iterations around
// a run's.
//
// RUN: %simt %s %t
// RUN: env SIMT_TRACE=1 %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: FileCheck --check-prefix=TRACE %s < %t.out
// RUN: %simt %s %t.none -mllvm -accx-grid-runs=0
// RUN: env SIMT_TRACE=1 %t.none 2>&1 | FileCheck --check-prefix=NONE %s
//
// TRACE-DAG: cells_l{{.*}} in runs
// TRACE-DAG: cells_l{{.*}} no blocks of its own
// TRACE-DAG: triad_l{{.*}} in runs
// TRACE-DAG: triad_l{{.*}} no blocks of its own
// TRACE-DAG: branch_l{{.*}} in runs
// TRACE-DAG: series_l{{.*}} in short runs
// TRACE-DAG: series_l{{.*}} no blocks of its own
// TRACE-DAG: groups_l{{.*}} in short runs
// CHECK: 0 wrong
// NONE-NOT: {{in (short )?runs}}
// NONE: 0 wrong
#include <stdio.h>

enum { Rows = 60, Columns = 57, Size = 3001 };
static float A[Rows][Columns], B[Rows][Columns];
static float X[Size] __attribute__((aligned(16)));
static float Y[Size] __attribute__((aligned(16)));
static double Z[Size] __attribute__((aligned(16)));
static float W[4 * Size];

static void cells(int N, int M) {
#pragma omp target teams distribute parallel for collapse(2) thread_limit(32)  \
    map(to : A) map(tofrom : B)
  for (int I = 1; I < N - 1; I++)
    for (int J = 1; J < M - 1; J++)
      B[I][J] += A[I][J - 1] + A[I][J + 1] + A[I - 1][J] + A[I + 1][J];
}

static void triad(int From, int N, int Step) {
#pragma omp target teams distribute parallel for thread_limit(32) map(to : X)  \
    map(tofrom : Y, Z)
  for (int I = From; I < N; I += Step) {
    Y[I] += 3 * X[I];
    Z[I] += X[I];
  }
}

static void copy(unsigned long N) {
#pragma omp target teams distribute parallel for thread_limit(32) map(to : X)  \
    map(tofrom : Y)
  for (unsigned long I = 0; I < N; I++)
    Y[I] += 2 * X[I];
}

static void branch(int N) {
#pragma omp target teams distribute parallel for thread_limit(32) map(to : X)  \
    map(tofrom : Y)
  for (int I = 0; I < N; I++)
    for (int J = 0; J < (int)X[I] % 3; J++)
      if (J != 1)
        Y[(I * 7) % N] += I + J;
      else
        Y[(I * 7) % N] *= 2;
}

static void series(int N) {
#pragma omp target teams distribute parallel for thread_limit(32) map(to : X)  \
    map(tofrom : Y)
  for (int I = 0; I < N; I++)
    for (int J = 0; J < (int)X[I]; J++)
      Y[I] += J * X[I];
}

// LLVM replaces the inner loops' tests by ones of a counter of the outer loop,
// which moves with the threads, too.
static void groups(unsigned N, int M) {
#pragma omp target teams distribute parallel for thread_limit(32) map(to : X)  \
    map(tofrom : Y)
  for (unsigned I = 0; I < N; I++)
    for (unsigned J = I * M; J < (I + 1) * M; J++)
      Y[I] += J % 8;
}

static void lists(int N, int M) {
#pragma omp target teams distribute parallel for thread_limit(32) map(to : W)  \
    map(tofrom : Y)
  for (int I = 0; I < N; I++)
    for (const float *P = &W[I * M]; P != &W[I * M + M]; P++)
      Y[I] += *P;
}

static void reset(void) {
  for (int I = 0; I < Size; I++)
    Y[I] = Z[I] = 1;
}

int main(void) {
  unsigned long Wrong = 0;
  unsigned State = 1;
  for (int I = 0; I < Size; I++)
    X[I] = I % 101;
  for (int I = 0; I < 4 * Size; I++)
    W[I] = I % 19;
  for (int I = 0; I < Rows; I++)
    for (int J = 0; J < Columns; J++)
      A[I][J] = I * 31 % 17 + J % 13;
  for (int Round = 0; Round < 60; Round++) {
    State = State * 1103515245 + 12345;
    const int N = 3 + (State >> 16) % (Rows - 2);
    const int M = 3 + (State >> 8) % (Columns - 2);
    for (int I = 0; I < Rows; I++)
      for (int J = 0; J < Columns; J++)
        B[I][J] = 1;
    cells(N, M);
    for (int I = 0; I < Rows; I++)
      for (int J = 0; J < Columns; J++) {
        const int In = I > 0 && I < N - 1 && J > 0 && J < M - 1;
        const float Added =
            In ? A[I][J - 1] + A[I][J + 1] + A[I - 1][J] + A[I + 1][J] : 0;
        Wrong += B[I][J] != 1 + Added;
      }
    // Around multiples of runs of 16 * 32 and 4 * 32 iterations, and anything
    // else.
    const int End = Round < 30 ? 512 * (1 + Round / 6) + Round % 6 - 3
                               : (int)((State >> 8) % Size);
    const int Step = 1 + Round % 3, From = Round % 7;
    reset();
    triad(From, End, Step);
    for (int I = 0; I < Size; I++) {
      const int In = I >= From && I < End && (I - From) % Step == 0;
      Wrong += Y[I] != 1 + In * 3 * X[I] || Z[I] != 1 + In * X[I];
    }
    reset();
    copy(End);
    for (int I = 0; I < Size; I++)
      Wrong += Y[I] != 1 + (I < End) * 2 * X[I];
    reset();
    series(End);
    for (int I = 0; I < Size; I++)
      Wrong += Y[I] != 1 + (I < End) * X[I] * (X[I] * (X[I] - 1) / 2);
    const int Group = 1 + Round % 4;
    reset();
    groups(End, Group);
    for (int I = 0; I < Size; I++) {
      float Value = 1;
      for (int J = I * Group; I < End && J < (I + 1) * Group; J++)
        Value += J % 8;
      Wrong += Y[I] != Value;
    }
    reset();
    lists(End, Group);
    for (int I = 0; I < Size; I++) {
      float Value = 1;
      for (int J = I * Group; I < End && J < (I + 1) * Group; J++)
        Value += W[J];
      Wrong += Y[I] != Value;
    }
    // 7 and the number have no common divisor.
    const int Number = End % 7 ? End : End + 1;
    reset();
    branch(Number);
    for (int I = 0; I < Number; I++) {
      float Value = 1;
      for (int J = 0; J < (int)X[I] % 3; J++)
        Value = J != 1 ? Value + I + J : Value * 2;
      Wrong += Y[I * 7 % Number] != Value;
    }
  }
  printf("%lu wrong\n", Wrong);
  return 0;
}
