/*===- suites-tsvc.c - Two builds of TSVC's loops in one process ----------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* TSVC's functions, main included, have their build's name in front of theirs;
|* FIRST and SECOND are those names, rows.def has the loops that are wanted. The
|* arrays are the same ones for both. Usage: TURNS; without it each loop runs
|* once in the first build, and its sum is printed.
|*
\*===----------------------------------------------------------------------===*/

#include "common.h"

#include <stdio.h>
#include <stdlib.h>

#define PASTE(A, B) A##B
#define JOIN(A, B) PASTE(A, B)

typedef real_t Loop(struct args_t *);
#define ROW(Name) Loop JOIN(FIRST, Name), JOIN(SECOND, Name);
#include "rows.def"
#undef ROW
static const struct {
  const char *Name;
  Loop *Of[2];
} Rows[] = {
#define ROW(Name) {#Name, {JOIN(FIRST, Name), JOIN(SECOND, Name)}},
#include "rows.def"
};

int JOIN(FIRST, main)(int, char **);

static int Turns;

static double seconds(Loop *Of, void *Arg, real_t *Sum) {
  struct args_t Args = {.arg_info = Arg};
  *Sum = Of(&Args);
  return (double)(Args.t2.tv_sec - Args.t1.tv_sec) +
         1e-6 * (double)(Args.t2.tv_usec - Args.t1.tv_usec);
}

/* TSVC's main calls this for each of its loops. */
void time_function(Loop *Of, void *Arg) {
  size_t At = 0;
  while (At < sizeof Rows / sizeof *Rows && Rows[At].Of[0] != Of)
    ++At;
  if (At == sizeof Rows / sizeof *Rows)
    return;
  real_t Sum;
  double Time[2];
  if (Turns == 0) {
    seconds(Of, Arg, &Sum);
    printf("\nSUM %s %.8g\n", Rows[At].Name, Sum);
    return;
  }
  for (int Turn = 0; Turn <= Turns; ++Turn) {
    for (int I = 0; I < 2; ++I)
      Time[(I + Turn) % 2] = seconds(Rows[At].Of[(I + Turn) % 2], Arg, &Sum);
    /* The first one finds the caches without the data. */
    if (Turn)
      printf("\nTIMES %s %.6f %.6f\n", Rows[At].Name, Time[0], Time[1]);
  }
}

int main(int Argc, char **Argv) {
  Turns = Argc > 1 ? atoi(Argv[1]) : 0;
  return JOIN(FIRST, main)(1, Argv);
}
