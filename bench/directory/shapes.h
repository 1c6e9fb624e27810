/*===- shapes.h - Sets of overlapping ranges ------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The live entries that the directory benchmarks build up, as offsets from the
|* start of one host array. In units of 64 bytes, N entries:
|*
|*   disjoint   [==] [==] [==] [==]        one unit, one unit of gap
|*   sliding    [=====]                    512 units, each starts one unit on
|*               [=====]
|*   heavy      [=========.....            N / 2 units: half of all entries
|*               [=========.....           cover a typical byte
|*   nested        [=]                     each a unit wider on either side
|*                [===]
|*   random     like sliding, in random order and with random ends
|*
|* No range lies inside another that was mapped before it, so that every map of
|* one creates an entry.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_BENCH_SHAPES_H
#define ACCX_BENCH_SHAPES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum Shape { Disjoint, Sliding, Heavy, Nested, Random, NumShapes };

enum { Unit = 64 };

struct Range {
  size_t Begin, Size;
};

static const char *const ShapeNames[] = {"disjoint", "sliding", "heavy",
                                         "nested", "random"};

static inline int shapeNamed(const char *Name) {
  for (int S = 0; S < NumShapes; ++S)
    if (!strcmp(ShapeNames[S], Name))
      return S;
  return NumShapes;
}

static inline uint64_t mix(uint64_t X) {
  X = (X ^ (X >> 31)) * 0x9e3779b97f4a7c15u;
  X = (X ^ (X >> 29)) * 0xbf58476d1ce4e5b9u;
  return X ^ (X >> 32);
}

/* A fixed permutation of 0 .. N-1: a stride that shares no factor with N. */
static inline size_t permuted(size_t I, size_t N) {
  return (size_t)((I * (uint64_t)2654435761u + 12345) % N);
}

static inline size_t windowUnits(enum Shape S, size_t N) {
  return S == Heavy ? N / 2 : 512;
}

/* The range of entry I of N, in the order in which they are mapped. */
static inline struct Range entryRange(enum Shape S, size_t I, size_t N) {
  struct Range R = {0, 0};
  switch (S) {
  case Disjoint:
    R.Begin = 2 * I * Unit;
    R.Size = Unit;
    break;
  case Sliding:
  case Heavy:
    R.Begin = I * Unit;
    R.Size = windowUnits(S, N) * Unit;
    break;
  case Nested:
    R.Begin = (N - I) * Unit;
    R.Size = (2 * I + 1) * Unit;
    break;
  default:
    R.Begin = permuted(I, N) * Unit;
    R.Size = windowUnits(S, N) * Unit + mix(R.Begin) % Unit;
  }
  return R;
}

/* A range that neither equals nor lies inside an entry; it overlaps what it
   can. */
static inline struct Range freshRange(enum Shape S, size_t I, size_t N) {
  struct Range R = entryRange(S, I, N);
  switch (S) {
  case Disjoint:
    R.Begin += Unit;
    break;
  case Nested:
    /* From inside all of the wider entries to just past the widest. */
    R.Size = (2 * N + 1) * Unit + 8 - R.Begin;
    break;
  case Random:
    R.Size = windowUnits(S, N) * Unit + Unit - 1;
    R.Begin += 1;
    break;
  default:
    R.Begin += 8;
  }
  return R;
}

/* Eight bytes inside entry I; many entries may hold them. */
static inline struct Range innerRange(enum Shape S, size_t I, size_t N) {
  struct Range R = entryRange(S, I, N);
  size_t Slots = R.Size / 8;
  R.Begin += mix(I) % Slots * 8;
  R.Size = 8;
  return R;
}

/* Host bytes that all of these ranges stay within. */
static inline size_t shapeBytes(enum Shape S, size_t N) {
  size_t Units = 2 * N + 4;
  if (S == Sliding || S == Random)
    Units = N + windowUnits(S, N) + 4;
  return Units * Unit;
}

#endif /* ACCX_BENCH_SHAPES_H */
