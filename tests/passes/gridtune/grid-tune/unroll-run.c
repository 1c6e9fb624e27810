// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small loops in the code of teams that are unrolled compute what they did: a
// constant number of iterations, with a remainder, and numbers that are not
// known, none among them; counters of 32 and 64 bits, signed and unsigned, that
// go down or in steps; values that one iteration hands to the next. The loop
// whose counter might wrap is left as it is.
//
// RUN: %simt %s %t -Rpass=grid-tune 2> %t.remarks && %t | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// CHECK: RESULT ok
#include <omp.h>
#include <stdio.h>

enum { Teams = 5, Threads = 32, Cells = 211 };

static unsigned mixed(unsigned x, unsigned me, unsigned last) {
  const unsigned y = (x ^ me) * 2654435761u;
  return y + (y >> 7) * (last | 1) + x;
}

// Each loop twice: in a team, whose threads share an array, and by the program.
#define LOOPS(OUT, CELL, ME)                                                   \
  {                                                                            \
    unsigned s = ME;                                                           \
    for (int j = 0; j < Cells; j++)                                            \
      s = mixed(CELL(j), ME, s);                                               \
    OUT[0] = s;                                                                \
    for (int j = 0; j < n; j++)                                                \
      s = mixed(CELL(j), ME, s);                                               \
    OUT[1] = s;                                                                \
    for (long j = n - 1; j >= 0; j--)                                          \
      s = mixed(CELL(j), ME, s);                                               \
    OUT[2] = s;                                                                \
    for (unsigned j = 1; j < (unsigned)n; j += 3)                              \
      s = mixed(CELL(j), ME, s);                                               \
    OUT[3] = s;                                                                \
    unsigned previous = 1;                                                     \
    for (size_t j = 0; j != (size_t)n; j++) {                                  \
      const unsigned now = mixed(CELL(j), ME, s);                              \
      s += previous;                                                           \
      previous = now;                                                          \
    }                                                                          \
    OUT[4] = s ^ previous;                                                     \
  }
enum { Loops = 5 };

#define PLAIN(J) (unsigned)((J) * 7 + team * 13 + 1)
#define SHARED(J) cells[J]

static void inTeams(int n, unsigned *out) {
#pragma omp target teams num_teams(Teams) thread_limit(Threads)                \
    map(from : out[ : Teams * Threads * Loops])
  {
    unsigned cells[Cells];
    const int team = omp_get_team_num();
#pragma omp parallel num_threads(Threads)
    {
      const int me = omp_get_thread_num();
      for (int j = me; j < Cells; j += Threads)
        cells[j] = PLAIN(j);
#pragma omp barrier
      unsigned *to = out + (team * Threads + me) * Loops;
      // REMARK-COUNT-4: remark: a small sequential loop marked for unrolling
      // REMARK-NOT: marked for unrolling
      LOOPS(to, SHARED, (unsigned)me)
    }
  }
}

int main(void) {
  static unsigned out[Teams * Threads * Loops];
  int bad = 0;
  for (int n = 0; n <= Cells; n = n < 10 ? n + 1 : n * 2 + 1) {
    inTeams(n, out);
    for (int team = 0; team < Teams; team++)
      for (int me = 0; me < Threads; me++) {
        unsigned right[Loops];
        LOOPS(right, PLAIN, (unsigned)me)
        for (int k = 0; k < Loops; k++)
          bad += out[(team * Threads + me) * Loops + k] != right[k];
      }
  }
  printf("RESULT %s\n", bad ? "wrong" : "ok");
  return bad != 0;
}
