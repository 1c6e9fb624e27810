/*===- selects-main.c - Compares two builds of selects.c ------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* All trip counts to 300, on arrays that end at a page that cannot be touched:
|* with many equal elements, zeros of both signs, and what is no number, first
|* or later. Results are the same bits.
|*
\*===----------------------------------------------------------------------===*/

#include "selects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

extern Select *const Plain[SelectCount], *const Ours[SelectCount];

enum { Most = 300, Page = 4096 };

static unsigned long long State = 1;
static unsigned next(unsigned Values) {
  State = State * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(State >> 40) % Values;
}

static unsigned char *guarded(void) {
  unsigned char *At = mmap(0, 2 * Page, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (At == MAP_FAILED || mprotect(At + Page, Page, PROT_NONE) != 0)
    exit(2);
  return At + Page;
}

static double number(unsigned Values, int Odd) {
  unsigned Kind = Odd ? next(8) : 8;
  return Kind == 0 ? NAN : Kind == 1 ? -0.0 : (int)next(Values) - 1;
}

static int same(struct Result X, struct Result Y) {
  return !memcmp(&X.Value, &Y.Value, sizeof X.Value) && X.At == Y.At;
}

int main(void) {
  unsigned char *Ends[5];
  int Place = 0, Compared = 0, Bad = 0;
  for (int I = 0; I < 5; ++I)
    Ends[I] = guarded();
  for (long N = 0; N <= Most; ++N)
    for (int Odd = 0; Odd < 3; ++Odd) {
      long Room = N ? N : 1;
      float *F = (float *)Ends[0] - Room;
      double *G = (double *)Ends[1] - Room;
      int *I = (int *)Ends[2] - Room;
      unsigned *U = (unsigned *)Ends[3] - Room;
      signed char *B = (signed char *)Ends[4] - Room;
      unsigned Values = 2 + next(12);
      for (long J = 0; J < Room; ++J) {
        F[J] = (float)number(Values, Odd);
        G[J] = number(Values, Odd);
        I[J] = (int)next(Values) - 2;
        U[J] = next(Values) - 2;
        B[J] = (signed char)(next(Values) - 2);
      }
      if (Odd == 2) {
        F[0] = NAN;
        G[0] = -0.0;
      }
      struct Data D = {F, G, I, U, B, &Place};
      for (int S = 0; S < SelectCount; ++S, ++Compared)
        if (!same(Plain[S](&D, N), Ours[S](&D, N)) && ++Bad <= 20)
          printf("loop %d, %ld iterations, data %d: differs\n", S, N, Odd);
    }
  printf("%d comparisons, %d differences\n", Compared, Bad);
  return Bad != 0;
}
