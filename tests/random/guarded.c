/*===- guarded.c - Runs two builds of random loops on guarded memory ------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Each array ends right before a page that cannot be touched, or begins right
|* after one. Prints the first difference of each loop; a fault names its loop.
|*
\*===----------------------------------------------------------------------===*/

#include "guarded.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern const struct Loop Expected[], Found[];
extern const int ExpectedSize, FoundSize;

enum { Page = 4096, Pages = 2 };
static unsigned char *Guarded[3];
static volatile int Current;
static volatile long CurrentTrips;

static void fault(int Signal) {
  char Text[80];
  int Length = snprintf(Text, sizeof Text, "loop %d trips %ld: signal %d\n",
                        Current, CurrentTrips, Signal);
  (void)!write(1, Text, Length);
  _exit(1);
}

static unsigned long long State;
static unsigned next(void) {
  State = State * 6364136223846793005ull + 1442695040888963407ull;
  return State >> 33;
}

static void fill(unsigned char *At, long Count, const struct Array *A) {
  for (long I = 0; I < Count; ++I, At += A->Bytes) {
    if (A->Values == Halves) {
      double V = ((int)(next() % 17) - 8) * 0.5;
      float F = (float)V;
      memcpy(At, A->Bytes == 4 ? (void *)&F : (void *)&V, A->Bytes);
    } else {
      unsigned long long V = next() * 2654435761ull ^ next();
      if (A->Values == Small)
        V %= 9;
      memcpy(At, &V, A->Bytes);
    }
  }
}

static int equal(double X, double Y, int Exact, double Tolerance) {
  if (X == Y || (isnan(X) && isnan(Y)))
    return 1;
  return !Exact && fabs(X - Y) <= Tolerance * (1 + fabs(X) + fabs(Y));
}

static int sameArray(const unsigned char *X, const unsigned char *Y, long Count,
                     const struct Array *A, int Exact) {
  if (A->Values != Halves)
    return !memcmp(X, Y, Count * A->Bytes);
  for (long I = 0; I < Count; ++I, X += A->Bytes, Y += A->Bytes) {
    double P, Q;
    if (A->Bytes == 4) {
      float F, G;
      memcpy(&F, X, 4);
      memcpy(&G, Y, 4);
      P = F;
      Q = G;
    } else {
      memcpy(&P, X, 8);
      memcpy(&Q, Y, 8);
    }
    if (!equal(P, Q, Exact, A->Bytes == 4 ? 2e-3 : 1e-9))
      return 0;
  }
  return 1;
}

/* One loop at one trip count, memory at the end or the begin of its pages. */
static int compare(int Number, long Trips, int AtEnd, int Overlap) {
  const struct Loop *L = &Expected[Number];
  static unsigned char Before[3][Pages * Page], After[Pages * Page];
  unsigned char *Start[3];
  long Count[3];
  for (int I = 0; I < 3; ++I) {
    const struct Array *A = &L->Arrays[I];
    Count[I] = (Trips > 0 ? (Trips - 1) * A->Scale + 1 : 0) + A->Offset;
    Start[I] = Guarded[I] + (AtEnd ? Pages * Page - Count[I] * A->Bytes : 0);
    fill(Start[I], Count[I], A);
  }
  /* Not where values would grow from iteration to iteration. */
  if (Overlap && L->Arrays[0].Bytes == L->Arrays[1].Bytes &&
      L->Arrays[0].Values == Any && Count[1] <= Count[0])
    Start[1] = Start[0] + (Count[0] - Count[1]) * L->Arrays[0].Bytes;
  for (int I = 0; I < 3; ++I)
    memcpy(Before[I], Guarded[I], Pages * Page);

  double Results[2][16] = {{0}};
  Current = Number;
  CurrentTrips = Trips;
  Expected[Number].Run(Start[0], Start[1], Start[2], Trips, Results[0]);
  memcpy(After, Guarded[0], Pages * Page);
  for (int I = 0; I < 3; ++I)
    memcpy(Guarded[I], Before[I], Pages * Page);
  Found[Number].Run(Start[0], Start[1], Start[2], Trips, Results[1]);

  int Good = sameArray(After + (Start[0] - Guarded[0]), Start[0], Count[0],
                       &L->Arrays[0], L->Exact);
  /* Nothing else may be written, whatever the arrays hold. */
  long Head = Start[0] - Guarded[0],
       Tail = Head + Count[0] * L->Arrays[0].Bytes;
  Good = Good && !memcmp(Guarded[0], Before[0], Head) &&
         !memcmp(Guarded[0] + Tail, Before[0] + Tail, Pages * Page - Tail) &&
         !memcmp(Guarded[1], Before[1], Pages * Page) &&
         !memcmp(Guarded[2], Before[2], Pages * Page);
  for (int I = 0; I < 16; ++I)
    Good = Good && equal(Results[0][I], Results[1][I], L->Exact, 2e-3);
  if (!Good)
    printf("loop %d trips %ld: differs\n", Number, Trips);
  return Good;
}

int main(void) {
  signal(SIGSEGV, fault);
  signal(SIGBUS, fault);
  signal(SIGILL, fault);
  signal(SIGFPE, fault);
  for (int I = 0; I < 3; ++I) {
    unsigned char *All = mmap(0, (Pages + 2) * Page, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (All == MAP_FAILED ||
        mprotect(All + Page, Pages * Page, PROT_READ | PROT_WRITE))
      return 2;
    Guarded[I] = All + Page;
  }
  if (ExpectedSize != FoundSize || FoundSize == 0)
    return 2;
  int Bad = 0;
  long Runs = 0;
  for (int Number = 0; Number < ExpectedSize; ++Number) {
    State = Number + 1;
    const struct Loop *L = &Expected[Number];
    int Good = 1;
    for (long Trips = L->Trips; Good && Trips <= (L->Trips ? L->Trips : 130);
         Trips += Trips < 35 ? 1 : 1 + next() % 5)
      for (int AtEnd = 0; Good && AtEnd < 2; ++AtEnd, ++Runs)
        Good = compare(Number, Trips, AtEnd, !L->Restrict && next() % 2);
    Bad += !Good;
  }
  printf("%d loops, %ld runs, %d bad\n", ExpectedSize, Runs, Bad);
  return Bad != 0;
}
