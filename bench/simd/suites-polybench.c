/*===- suites-polybench.c - Two builds of a program in one process --------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The main functions of both builds run in turn, on the same memory.
|*
\*===----------------------------------------------------------------------===*/

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

int plain_main(int, char **);
int ours_main(int, char **);
extern double polybench_t_start, polybench_t_end;

/* Usage: SECONDS; as many turns as fit, but not fewer than three. */
int main(int Argc, char **Argv) {
  /* What is freed stays with the process, for the next main. */
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  double Wanted = Argc > 1 ? atof(Argv[1]) : 1, Begin = 0, Time[2];
  for (int Turn = 0; Turn < 4 || polybench_t_end < Begin + Wanted; ++Turn) {
    for (int I = 0; I < 2; ++I) {
      int Which = (I + Turn) % 2;
      if (Which ? ours_main(1, Argv) : plain_main(1, Argv))
        return 1;
      Time[Which] = polybench_t_end - polybench_t_start;
    }
    if (Turn == 0)
      Begin = polybench_t_end;
    else
      printf("\nTIMES program %.6f %.6f\n", Time[0], Time[1]);
  }
  return 0;
}
