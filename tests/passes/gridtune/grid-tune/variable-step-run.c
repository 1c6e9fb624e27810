// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that are unrolled by steps that are not known add up the same elements:
// no iterations, fewer and more than a round has, with remainders, steps past
// the bound, types of 32 and 64 bits, and loads under a condition.
//
// RUN: %simt %s %t -Rpass=grid-tune 2> %t.remarks && %t | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// CHECK: RESULT ok
#include <stdio.h>

enum { Rows = 67, MaxColumns = 45, MaxStep = 9 };

static int at(int i, int j) { return (i * 31 + j * 17) % 101; }

static void sums(int columns, int step, const int *x, int *out) {
#pragma omp target teams distribute parallel for map(                          \
        to : x[ : Rows * MaxColumns]) map(from : out[ : Rows])
  for (int i = 0; i < Rows; i++) {
    unsigned sum = 0;
    // REMARK-DAG: :[[@LINE+1]]:5: remark: a small sequential loop
    for (int j = i % 8; j < columns; j += step)
      sum = sum * 3 + x[i * MaxColumns + j];
    out[i] = (int)sum;
  }
}

static void guarded(long columns, long step, int limit, const int *x,
                    int *out) {
#pragma omp target teams distribute parallel for map(                          \
        to : x[ : Rows * MaxColumns]) map(from : out[ : Rows])
  for (int i = 0; i < Rows; i++) {
    unsigned sum = 0;
    // REMARK-DAG: :[[@LINE+1]]:5: remark: a small sequential loop
    for (long j = i % 5; j < columns; j += step)
      sum = sum * 3 + (i < limit ? x[i * MaxColumns + j] : 1);
    out[i] = (int)sum;
  }
}

int main(void) {
  static int x[Rows * MaxColumns], first[Rows], second[Rows];
  int bad = 0;
  for (int i = 0; i < Rows; i++)
    for (int j = 0; j < MaxColumns; j++)
      x[i * MaxColumns + j] = at(i, j);
  for (int columns = 0; columns <= MaxColumns; columns++)
    for (int step = 1; step <= MaxStep; step++) {
      const int limit = columns + step;
      sums(columns, step, x, first);
      guarded(columns, step, limit, x, second);
      for (int i = 0; i < Rows; i++) {
        unsigned a = 0, b = 0;
        for (int j = i % 8; j < columns; j += step)
          a = a * 3 + at(i, j);
        for (int j = i % 5; j < columns; j += step)
          b = b * 3 + (i < limit ? at(i, j) : 1);
        bad += (int)a != first[i] || (int)b != second[i];
      }
    }
  if (bad)
    printf("RESULT %d differ\n", bad);
  else
    printf("RESULT ok\n");
  return bad != 0;
}
