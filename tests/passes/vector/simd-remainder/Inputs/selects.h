/*===- selects.h - What the builds and their driver share ---------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#ifndef SELECTS_H
#define SELECTS_H

enum { SelectCount = 15 };

struct Data {
  const float *F;
  const double *G;
  const int *I;
  const unsigned *U;
  const signed char *B;
  int *Place;
};

struct Result {
  double Value;
  long At;
};

typedef struct Result Select(const struct Data *, long N);

#endif
