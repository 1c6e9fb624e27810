/*===- ep.c - Gaussian pairs, counted by ring: NAS EP's kernel ------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* 2^m pairs of uniform random numbers, the polar method, two sums and a count
|* for each square ring. Every gang jumps ahead in the one sequence of NAS's
|* generator, x -> 5^13 x mod 2^46, so the result does not depend on how the
|* work is dealt. Sums are scalar reductions, the ring counts local and then
|* added atomically, because an array in a reduction clause is not portable.
|*
|* Usage: ep [m]
|*
\*===----------------------------------------------------------------------===*/

#include "demo_acc.h"

#include <math.h>

typedef unsigned long long Word;

enum { Rings = 10, LogBatch = 12, Batch = 1 << LogBatch };
#define EP_MASK ((1ull << 46) - 1)
#define EP_FACTOR 1220703125ull
#define EP_SEED 271828183ull

typedef struct {
  double X, Y;
  long Count[Rings];
} Sums;

/* The generator's state after Steps steps from EP_SEED. */
#pragma acc routine seq
static Word jump(Word Steps) {
  Word State = EP_SEED, Factor = EP_FACTOR;
  for (; Steps; Steps >>= 1) {
    if (Steps & 1)
      State = State * Factor & EP_MASK;
    Factor = Factor * Factor & EP_MASK;
  }
  return State;
}

#pragma acc routine seq
static double uniform(Word *State) {
  *State = *State * EP_FACTOR & EP_MASK;
  return 2.0 * ((double)*State * 0x1p-46) - 1.0;
}

/* One batch of pairs: adds to the ring counts, gives back the two sums. */
#pragma acc routine seq
static void batch(Word Number, double *SumX, double *SumY, int *Count) {
  Word State = jump(2 * Batch * Number);
  double X = 0, Y = 0;
  for (int I = 0; I < Batch; ++I) {
    double U = uniform(&State), V = uniform(&State);
    double T = U * U + V * V;
    if (T <= 1) {
      double Scale = sqrt(-2 * log(T) / T);
      double A = fabs(U * Scale), B = fabs(V * Scale);
      Count[(int)(A > B ? A : B)] += 1;
      X += U * Scale;
      Y += V * Scale;
    }
  }
  *SumX = X;
  *SumY = Y;
}

static Sums onDevice(int Batches) {
  double X = 0, Y = 0;
  long Count[Rings] = {0};
#pragma acc parallel loop gang vector reduction(+ : X, Y) copy(Count)
  for (int B = 0; B < Batches; ++B) {
    double SumX, SumY;
    int Local[Rings];
#pragma acc loop seq
    for (int R = 0; R < Rings; ++R)
      Local[R] = 0;
    batch((Word)B, &SumX, &SumY, Local);
    X += SumX;
    Y += SumY;
#pragma acc loop seq
    for (int R = 0; R < Rings; ++R) {
#pragma acc atomic
      Count[R] += Local[R];
    }
  }
  Sums Result = {X, Y, {0}};
  for (int R = 0; R < Rings; ++R)
    Result.Count[R] = Count[R];
  return Result;
}

static Sums onHost(int Batches) {
  Sums Result = {0, 0, {0}};
  for (int B = 0; B < Batches; ++B) {
    double SumX, SumY;
    int Local[Rings] = {0};
    batch((Word)B, &SumX, &SumY, Local);
    Result.X += SumX;
    Result.Y += SumY;
    for (int R = 0; R < Rings; ++R)
      Result.Count[R] += Local[R];
  }
  return Result;
}

int main(int Argc, char **Argv) {
  int M = demoSize(Argc, Argv, 1, 21);
  int Devices = demoDevices() > 0;
  if (M < LogBatch || M > LogBatch + 30) {
    fprintf(stderr, "demo: m must be %d to %d\n", LogBatch, LogBatch + 30);
    return 2;
  }
  int Batches = 1 << (M - LogBatch);
  Sums Expected = onHost(Batches);

  double Times[DemoRepeats];
  int Good = 1;
  for (int R = 0; R < DemoRepeats; ++R) {
    double Begin = demoNow();
    Sums Got = onDevice(Batches);
    Times[R] = demoNow() - Begin;
    Good = Good && demoNear(Got.X, Expected.X, 1e-9) &&
           demoNear(Got.Y, Expected.Y, 1e-9);
    for (int I = 0; I < Rings; ++I)
      Good = Good && Got.Count[I] == Expected.Count[I];
  }
  /* NAS publishes the sums for class S. */
  if (M == 24)
    Good = Good && demoNear(Expected.X, -3.247834652034740e3, 1e-8) &&
           demoNear(Expected.Y, -6.958407078382297e3, 1e-8);
  double Ms = demoMedianMs(Times, DemoRepeats);
  char Size[32], Metric[64];
  snprintf(Size, sizeof(Size), "2^%d", M);
  snprintf(Metric, sizeof(Metric), "%.1f Mpairs/s on %s",
           1e-3 * ldexp(1, M) / Ms, demoPlace(Devices));
  return demoReport("acc-ep", Size, Ms, Metric, Good);
}
