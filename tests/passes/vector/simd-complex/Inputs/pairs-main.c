/*===- pairs-main.c - Compares two builds of pairs.c ----------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* All trip counts to 200, on arrays that end at a page that cannot be touched.
|*
\*===----------------------------------------------------------------------===*/

#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

extern PairLoop *const Plain[PairLoops], *const Ours[PairLoops];

enum { Most = 200, Page = 4096, Arrays = 11 };

static unsigned long long State = 1;
static int next(unsigned Values) {
  State = State * 6364136223846793005ull + 1442695040888963407ull;
  return (int)((unsigned)(State >> 40) % Values);
}

static unsigned char *guarded(void) {
  unsigned char *At = mmap(0, 2 * Page, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (At == MAP_FAILED || mprotect(At + Page, Page, PROT_NONE) != 0)
    exit(2);
  return At + Page;
}

int main(void) {
  unsigned char *Ends[Arrays];
  int Compared = 0, Bad = 0;
  for (int I = 0; I < Arrays; ++I)
    Ends[I] = guarded();
  for (long N = 0; N <= Most; ++N) {
    float *A = (float *)Ends[0] - 2 * N, *B = (float *)Ends[1] - 2 * N;
    double *X = (double *)Ends[2] - 2 * N, *Y = (double *)Ends[3] - 2 * N;
    int *P = (int *)Ends[4] - 2 * N, *Q = (int *)Ends[5] - 2 * N;
    int *At = (int *)Ends[6] - N;
    float *Table = (float *)Ends[7] - Places - 1;
    int *Numbers = (int *)Ends[8] - Places - 1;
    float *C = (float *)Ends[9] - 2 * N;
    int *K = (int *)Ends[10] - 2 * N;
    for (long I = 0; I < 2 * N; ++I) {
      A[I] = (float)(next(9) - 4);
      B[I] = (float)(next(9) - 4);
      X[I] = next(99) - 49;
      Y[I] = next(99) - 49;
      P[I] = next(1u << 24);
      Q[I] = next(1u << 24);
    }
    for (long I = 0; I < N; ++I)
      At[I] = next(Places);
    for (long I = 0; I <= Places; ++I) {
      Table[I] = (float)(next(99) - 49);
      Numbers[I] = next(1u << 20);
    }
    struct Data D = {A, B, X, Y, P, Q, At, Table, Numbers, C, K};
    for (int L = 0; L < PairLoops; ++L, ++Compared) {
      static float Cs[2][2 * Most];
      static int Ks[2][2 * Most];
      double Results[2][2] = {{0}};
      for (int Build = 0; Build < 2; ++Build) {
        memset(C, 0, sizeof(float) * 2 * N);
        memset(K, 0, sizeof(int) * 2 * N);
        (Build ? Ours : Plain)[L](&D, N, Results[Build]);
        memcpy(Cs[Build], C, sizeof(float) * 2 * N);
        memcpy(Ks[Build], K, sizeof(int) * 2 * N);
      }
      if ((memcmp(Cs[0], Cs[1], sizeof(float) * 2 * N) ||
           memcmp(Ks[0], Ks[1], sizeof(int) * 2 * N) ||
           Results[0][0] != Results[1][0] || Results[0][1] != Results[1][1]) &&
          ++Bad <= 20)
        printf("loop %d, %ld iterations: differs\n", L, N);
    }
  }
  printf("%d comparisons, %d differences\n", Compared, Bad);
  return Bad != 0;
}
