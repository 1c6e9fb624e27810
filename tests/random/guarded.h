/*===- guarded.h - What random loops and their driver share -------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* A loop's table is compiled twice, under the names Expected and Found.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GUARDED_H
#define GUARDED_H

/* Small: integers that floating-point code computes with. */
enum Values { Any, Small, Halves };

struct Array {
  int Bytes;
  enum Values Values;
  /* Element i of the loop is at Scale * i + Offset, or as far from the end. */
  int Scale, Offset;
};

struct Loop {
  void (*Run)(void *O, const void *A, const void *B, long N, double *Results);
  int Trips; /* 0: any */
  int Exact, Restrict;
  struct Array Arrays[3]; /* written, read, read */
};

#ifdef FOUND
#define TABLE Found
#define TABLE_SIZE FoundSize
#else
#define TABLE Expected
#define TABLE_SIZE ExpectedSize
#endif
extern const struct Loop TABLE[];
extern const int TABLE_SIZE;

#endif
