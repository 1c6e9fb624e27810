/*===- compare.c - Two builds of the operations on small matrices ---------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Every matrix ends at, or begins behind, a page that cannot be touched. The
|* builds' results are the same bytes, those behind the matrices included.
|*
|* Usage: compare WHOLE [ROUNDS]: with WHOLE, numbers are whole, so that sums
|* are exact in any order; with ROUNDS, times are printed instead.
|*
\*===----------------------------------------------------------------------===*/

#include "matrices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define BUILD(Type, Kind)                                                      \
  extern const struct Entry *const plain_##Type[], *const ours_##Type[];
#include "types.def"
#undef BUILD

static const struct {
  const char *Name;
  int Kind;
  const struct Entry *const *Plain, *const *Ours;
} Types[] = {
#define BUILD(Type, Kind) {#Type, Kind, plain_##Type, ours_##Type},
#include "types.def"
#undef BUILD
};
enum { TypeCount = sizeof Types / sizeof *Types, Page = 4096, Apart = 99 };

static unsigned long long State = 1;
static unsigned next(void) {
  State = State * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(State >> 40);
}

/* A page between two that cannot be touched. */
static unsigned char *page(void) {
  unsigned char *At =
      mmap(0, 3 * Page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (At == MAP_FAILED ||
      mprotect(At + Page, Page, PROT_READ | PROT_WRITE) != 0)
    exit(2);
  return At + Page;
}

static void fill(unsigned char *At, int Kind, int Bytes, int Whole) {
  for (int I = 0; I < Page / Bytes; ++I) {
    double X = (int)(next() % 17) - 8;
    if (!Whole)
      X += next() / 16777216.0;
    if (Kind == 'f' && Bytes == 4)
      ((float *)At)[I] = (float)X;
    else if (Kind == 'f')
      ((double *)At)[I] = X;
    else
      for (int B = 0; B < Bytes; ++B)
        At[I * Bytes + B] = (unsigned char)next();
  }
}

static unsigned char *Arrays[4], *Saved[4], *Expected[4];

/* Where matrix I of such a size begins. Equal distances from a page's begin
 * would make loads wait for stores; from the third layout on they overlap. */
static unsigned char *place(int I, int Size, int Bytes, int Layout) {
  switch (Layout) {
  case 0:
    return Arrays[I] + Page - Size;
  case 1:
    return Arrays[I];
  case Apart:
    return Arrays[I] + I * 640;
  default:
    return Arrays[I < 2 ? I : 0] + Page - Size -
           (I < 2 ? Size : (Layout - 2) * Bytes);
  }
}

static void call(Operation *Run, int Size, int Bytes, int Layout) {
  Run(place(0, Size, Bytes, Layout), place(1, Size, Bytes, Layout),
      place(2, Size, Bytes, Layout), place(3, Size, Bytes, Layout));
}

static int check(int Type, const struct Entry *Plain, const struct Entry *Ours,
                 int Whole) {
  int Bytes = Plain->Bytes, Size = Plain->N * Plain->N * Bytes;
  int Layouts = strcmp(Plain->Kind, "may_overlap") ? 2 : 2 + 2 * Plain->N;
  for (int Layout = 0; Layout < Layouts; ++Layout) {
    for (int I = 0; I < 4; ++I) {
      fill(Arrays[I], Types[Type].Kind, Bytes, Whole);
      memcpy(Saved[I], Arrays[I], Page);
    }
    call(Plain->Run, Size, Bytes, Layout);
    for (int I = 0; I < 4; ++I) {
      memcpy(Expected[I], Arrays[I], Page);
      memcpy(Arrays[I], Saved[I], Page);
    }
    call(Ours->Run, Size, Bytes, Layout);
    for (int I = 0; I < 4; ++I)
      if (memcmp(Expected[I], Arrays[I], Page)) {
        printf("%s %s %dx%d, layout %d: array %d differs\n", Types[Type].Name,
               Plain->Kind, Plain->N, Plain->N, Layout, I);
        return 0;
      }
  }
  return 1;
}

static double once(const struct Entry *Entry, int Calls) {
  struct timespec Begin, End;
  int Size = Entry->N * Entry->N * Entry->Bytes;
  clock_gettime(CLOCK_MONOTONIC, &Begin);
  for (int I = 0; I < Calls; ++I)
    call(Entry->Run, Size, Entry->Bytes, Apart);
  clock_gettime(CLOCK_MONOTONIC, &End);
  return ((End.tv_sec - Begin.tv_sec) * 1e9 + (End.tv_nsec - Begin.tv_nsec)) /
         Calls;
}

static int less(const void *A, const void *B) {
  double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

static void measure(int Type, const struct Entry *Plain,
                    const struct Entry *Ours, int Rounds) {
  double *X = malloc(sizeof *X * Rounds), *Y = malloc(sizeof *Y * Rounds);
  int Calls = 200;
  for (int I = 0; I < 4; ++I)
    memset(Arrays[I], 0, Page);
  for (int R = 0; R < Rounds; ++R) {
    X[R] = once(Plain, Calls);
    Y[R] = once(Ours, Calls);
  }
  qsort(X, Rounds, sizeof *X, less);
  qsort(Y, Rounds, sizeof *Y, less);
  double A = X[Rounds / 4], B = Y[Rounds / 4];
  printf("%-7s %-20s %d  %7.2f ns  %7.2f ns  %5.2f\n", Types[Type].Name,
         Plain->Kind, Plain->N, A, B, A / B);
  free(X);
  free(Y);
}

int main(int Argc, char **Argv) {
  int Whole = Argc > 1 && atoi(Argv[1]), Rounds = Argc > 2 ? atoi(Argv[2]) : 0;
  int Checked = 0, Bad = 0;
  for (int I = 0; I < 4; ++I) {
    Arrays[I] = page();
    Saved[I] = page();
    Expected[I] = page();
  }
  for (int Type = 0; Type < TypeCount; ++Type)
    for (int Size = 0; Size < SizeCount; ++Size)
      for (int Kind = 0; Kind < KindCount; ++Kind) {
        const struct Entry *Plain = &Types[Type].Plain[Size][Kind];
        const struct Entry *Ours = &Types[Type].Ours[Size][Kind];
        if (Rounds > 0)
          measure(Type, Plain, Ours, Rounds);
        for (int Again = 0; Again < 4 && !Rounds; ++Again) {
          ++Checked;
          Bad += !check(Type, Plain, Ours, Whole);
        }
      }
  if (!Rounds)
    printf("%d comparisons, %d differences\n", Checked, Bad);
  return Bad != 0;
}
