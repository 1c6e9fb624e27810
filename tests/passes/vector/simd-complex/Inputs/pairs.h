/*===- pairs.h - Loops over pairs of elements ---------------------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* All numbers are small integers: sums are exact in any order.
|*
\*===----------------------------------------------------------------------===*/

#ifndef PAIRS_H
#define PAIRS_H

struct Data {
  /* Pairs: 2 * N elements each. */
  const float *A, *B;
  const double *X, *Y;
  const int *I, *J;
  /* Look-ups: N places in tables, which have Places and one more elements. */
  const int *At;
  const float *Table;
  const int *Numbers;
  /* Results: 2 * N. */
  float *C;
  int *K;
};

enum { Places = 50, PairLoops = 16 };

typedef void PairLoop(struct Data *D, long N, double *Results);

#endif
