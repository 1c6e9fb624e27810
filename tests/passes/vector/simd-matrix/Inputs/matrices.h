/*===- matrices.h - Operations on small matrices ------------------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* matrices.c is compiled once for each type and build, compare.c links them.
|*
\*===----------------------------------------------------------------------===*/

#ifndef MATRICES_H
#define MATRICES_H

enum { KindCount = 15, SizeCount = 7 };

typedef void Operation(void *C, void *D, const void *A, const void *B);

struct Entry {
  const char *Kind;
  int N;
  int Bytes;
  Operation *Run;
};

#endif
