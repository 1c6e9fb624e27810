/*===- simd.c - Times all builds of the kernels in one process ------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* One pinned process calls the builds of a kernel in turn, so that whatever
|* else the machine does meets all alike. A round's figure is the time of a
|* call behind a first one; the 25th percentile of the rounds is reported.
|*
|* Usage: simd [-r ROUNDS] [-o OFFSET] [-k KERNEL] [N ...]
|*   OFFSET: bytes by which arrays miss a cache line's begin. Without N each
|*   kernel runs at its row of the table.
|*
\*===----------------------------------------------------------------------===*/

#include "kernels.h"

#include <alloca.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The builds, the scalar one first and the intrinsics last. */
#define BUILD(Name) extern const struct Entry Name[];
#include "builds.def"
#undef BUILD
static const struct {
  const char *Name;
  const struct Entry *Table;
} Builds[] = {
#define BUILD(Name) {#Name, Name},
#include "builds.def"
#undef BUILD
};
enum { BuildCount = sizeof Builds / sizeof *Builds, MaxRounds = 2001 };

static const struct {
  const char *Name;
  int Trips;
} Rows[] = {
#define ROW(Name, Trips) {#Name, Trips},
    KERNELS(ROW)};
enum { RowCount = sizeof Rows / sizeof *Rows };

/* The trip counts of the measurements that this one repeats. */
static long usual(const char *Name) {
  static const struct {
    const char *Name;
    long N;
  } Known[] = {{"convolve_5x5", 61},    {"radar", 23},
               {"radar_complex", 23},   {"nbody", 45},
               {"back_project", 75},    {"black_scholes", 77},
               {"conditional_sum", 45}, {"stride_2", 45},
               {"average_u8", 95},      {"multiply_4x4", 16},
               {"pair_4x4", 16},        {"multiply_4x4_double", 16},
               {"pair_4x4_double", 16}};
  for (size_t I = 0; I < sizeof Known / sizeof *Known; ++I)
    if (!strcmp(Name, Known[I].Name))
      return Known[I].N;
  return 31;
}

static struct Data Set;
/* Large arrays would all begin at the same place of a page, where processors
   take the loads of one for those of a masked store into another. Each begins
   some lines behind the one before. */
static void *array(size_t Bytes, int Offset) {
  static size_t Lines;
  size_t Whole = (Bytes + 8192 + 63) / 64 * 64;
  unsigned char *At = aligned_alloc(64, Whole);
  if (!At)
    exit(2);
  memset(At, 0, Whole);
  return At + 64 * (5 * Lines++ % 64) + Offset;
}

static void makeData(int Offset) {
  Set = (struct Data){array(4ul * Room, Offset), array(4ul * Room, Offset),
                      array(4ul * Room, Offset), array(4ul * Room, Offset),
                      array(8ul * Room, Offset), array(8ul * Room, Offset),
                      array(8ul * Room, Offset), array(4ul * Room, Offset),
                      array(4ul * Room, Offset), array(4ul * Room, Offset),
                      array(Room, Offset),       array(Room, Offset),
                      array(Room, Offset)};
  unsigned long long State = 1;
  for (long I = 0; I < Room; ++I) {
    State = State * 6364136223846793005ull + 1442695040888963407ull;
    Set.A[I] = 0.5f + (State >> 40) / 33554432.0f;
    Set.B[I] = 0.5f + ((State >> 33) & 0xffff) / 131072.0f;
    Set.D[I] = 0.25f + ((State >> 25) & 0xffff) / 65536.0f;
    Set.X[I] = Set.A[I];
    Set.Y[I] = Set.B[I];
    Set.I[I] = (int)(State >> 35);
    Set.J[I] = (int)(State >> 36);
    Set.P[I] = (unsigned char)(State >> 41);
    Set.Q[I] = (unsigned char)(State >> 50);
  }
}

static double now(void) {
  struct timespec T;
  clock_gettime(CLOCK_MONOTONIC_RAW, &T);
  return T.tv_sec * 1e9 + T.tv_nsec;
}

static int near(double X, double Y) {
  return fabs(X - Y) <= 2e-4 * (1 + fabs(X) + fabs(Y));
}

static void clear(void) {
  memset(Set.C, 0, sizeof *Set.C * Longest);
  memset(Set.Z, 0, sizeof *Set.Z * Longest);
  memset(Set.K, 0, sizeof *Set.K * Longest);
  memset(Set.R, 0, sizeof *Set.R * Longest);
}

/* Whether the build computes what the scalar one does. */
static int verify(int Row, int Build, long N) {
  static float C[Longest];
  static double Z[Longest];
  static int K[Longest];
  static unsigned char R[Longest];
  clear();
  double Expected = Builds[0].Table[Row].Run(&Set, N, 1);
  memcpy(C, Set.C, sizeof C);
  memcpy(Z, Set.Z, sizeof Z);
  memcpy(K, Set.K, sizeof K);
  memcpy(R, Set.R, sizeof R);
  clear();
  int Good = near(Expected, Builds[Build].Table[Row].Run(&Set, N, 1));
  for (long I = 0; I < Longest; ++I)
    Good = Good && near(C[I], Set.C[I]) && near(Z[I], Set.Z[I]) &&
           K[I] == Set.K[I] && R[I] == Set.R[I];
  return Good;
}

static int less(const void *A, const void *B) {
  double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

/* Each round has its stack at another place of a page: loads wait for spills
   that seem to be to the same place, which some addresses do to one build and
   others to another. The first call, with another build's code and data in the
   processor's memories, is not timed. */
static double once(Kernel *Run, long N, long Calls, int Round) {
  volatile char *Below = alloca(64 * (Round * 5 % 64) + 64);
  *Below = 0;
  Run(&Set, N, 1);
  double Begin = now();
  Run(&Set, N, Calls);
  return (now() - Begin) / Calls;
}

/* Measures one row; returns whether every build was right. */
static int measure(int Row, long N, int Rounds) {
  static double Times[BuildCount][MaxRounds];
  double Quarter[BuildCount];
  int Good = 1, Right[BuildCount];
  long Calls = 1;
  for (int B = 0; B < BuildCount; ++B)
    Right[B] = verify(Row, B, N);
  while (once(Builds[0].Table[Row].Run, N, Calls, 0) * Calls < 100e3)
    Calls *= 2;
  for (int R = 0; R < Rounds; ++R)
    for (int B = 0; B < BuildCount; ++B) {
      int Turn = (B + R) % BuildCount;
      Times[Turn][R] = once(Builds[Turn].Table[Row].Run, N, Calls, R);
    }
  for (int B = 0; B < BuildCount; ++B) {
    qsort(Times[B], Rounds, sizeof(double), less);
    Quarter[B] = Times[B][Rounds / 4];
  }
  double Hand = Quarter[BuildCount - 1];
  for (int B = 0; B < BuildCount; ++B) {
    printf("RESULT,simd,%s,%s-%ld,%.4g,speedup=%.2f;of_hand=%.2f,%s\n",
           Builds[B].Name, Rows[Row].Name, N, Quarter[B] * 1e-6,
           Quarter[0] / Quarter[B], Hand / Quarter[B], Right[B] ? "ok" : "BAD");
    Good = Good && Right[B];
  }
  fflush(stdout);
  return Good;
}

int main(int Argc, char **Argv) {
  int Rounds = 201, Offset = 0, Good = 1, Option;
  const char *Only = 0;
  while ((Option = getopt(Argc, Argv, "r:o:k:")) != -1)
    switch (Option) {
    case 'r':
      Rounds = atoi(optarg);
      break;
    case 'o':
      Offset = atoi(optarg);
      break;
    case 'k':
      Only = optarg;
      break;
    default:
      return 2;
    }
  if (Rounds < 1 || Rounds > MaxRounds || Offset < 0 || Offset > 63)
    return 2;
  makeData(Offset);
  for (int Row = 0; Row < RowCount; ++Row) {
    if (Only && strcmp(Only, Rows[Row].Name))
      continue;
    if (optind == Argc)
      Good &= measure(Row,
                      Rows[Row].Trips ? Rows[Row].Trips : usual(Rows[Row].Name),
                      Rounds);
    for (int I = optind; I < Argc && !Rows[Row].Trips; ++I)
      Good &= measure(Row, atol(Argv[I]), Rounds);
  }
  return !Good;
}
