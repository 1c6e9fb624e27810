/*===- abi.c - One map operation through the directives -------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The same ranges as class.cpp, mapped with `enter data` and `exit data`. What
|* is timed is the whole call: decoding, directory, locks, no copies.
|*
|* Usage: abi SHAPE ENTRIES; prints MEASURE,<operation>,<ns>.
|*
\*===----------------------------------------------------------------------===*/

#include "shapes.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static char *Host;

static void enter(struct Range R) {
  char *P = Host + R.Begin;
  size_t Size = R.Size;
#pragma omp target enter data map(alloc : P[0 : Size])
}

static void leave(struct Range R) {
  char *P = Host + R.Begin;
  size_t Size = R.Size;
#pragma omp target exit data map(release : P[0 : Size])
}

static int less(const void *A, const void *B) {
  double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

static void wrong(const char *What) {
  printf("BAD,%s\n", What);
  exit(1);
}

static int present(const char *P) {
  return omp_target_is_present(P, omp_get_default_device());
}

/* Median over batches of enter and exit of ranges of randomly chosen entries,
   other ones for each batch or the same; Choose is called outside of the
   measurement. */
static void timePairs(const char *Name,
                      struct Range (*Choose)(enum Shape, size_t, size_t),
                      enum Shape S, size_t N, int NewChoice) {
  enum { Batches = 21, Each = 500 };
  static struct Range Chosen[Each];
  double Times[Batches];
  uint64_t Seed = 1;
  for (int B = -1; B < Batches; ++B) {
    for (int I = 0; I < Each && (NewChoice || B < 0); ++I)
      Chosen[I] = Choose(S, mix(++Seed) % N, N);
    double Begin = omp_get_wtime();
    for (int I = 0; I < Each; ++I) {
      enter(Chosen[I]);
      leave(Chosen[I]);
    }
    if (B >= 0)
      Times[B] = 1e9 * (omp_get_wtime() - Begin) / Each;
  }
  qsort(Times, Batches, sizeof(double), less);
  printf("MEASURE,%s,%.1f\n", Name, Times[Batches / 2]);
}

int main(int Argc, char **Argv) {
  int Named = Argc == 3 ? shapeNamed(Argv[1]) : NumShapes;
  size_t N = Argc == 3 ? strtoull(Argv[2], NULL, 10) : 0;
  if (Named == NumShapes || N < 2 || omp_get_num_devices() == 0) {
    fprintf(stderr, "usage: abi SHAPE ENTRIES, with a device\n");
    return 2;
  }
  enum Shape S = (enum Shape)Named;
  Host = malloc(shapeBytes(S, N));
  if (!Host)
    return 2;
  for (size_t I = 0; I < N; ++I)
    enter(entryRange(S, I, N));

  timePairs("inner", innerRange, S, N, 1);
  timePairs("present", entryRange, S, N, 1);
  timePairs("again", entryRange, S, N, 0);
  timePairs("fresh", freshRange, S, N, 1);

  /* Everything is there still, and goes when it is told to. */
  for (size_t I = 0; I < N; ++I)
    if (!present(Host + entryRange(S, I, N).Begin))
      wrong("lost");
  for (size_t I = 0; I < N; ++I)
    leave(entryRange(S, I, N));
  for (size_t I = 0; I < N; ++I)
    if (present(Host + entryRange(S, I, N).Begin))
      wrong("stayed");
  return 0;
}
