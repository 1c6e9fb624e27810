// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that each iteration reads through are copied to each device ahead of
// the loop, as often as they may have changed; those that the loop also writes,
// or keeps the address of, are read where they are.
//
// RUN: %accxcc -O2 %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s
// RUN: env ACCX_STATS=1 %run %t 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: env ACCX_HOST_DEVICES=1 %run %t 2>&1 | FileCheck %s
// RUN: env ACCX_HOST_DEVICES=3 %run %t 2>&1 | FileCheck %s
// RUN: env ACCX_SYNC=1 %run %t 2>&1 | FileCheck %s
// RUN: %accxcc -O0 %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 20000, Steps = 3 };
static int P[N], V[N], Want[N], WantV[N];
static int *Kept[N];

static int pull(const int *All, int I, int Count) {
  int Sum = 0;
  for (int J = 0; J < Count; ++J)
    Sum += All[J] ^ I;
  return Sum;
}

static void begin(int *A, int Seed) {
  for (int I = 0; I < N; ++I)
    A[I] = I * Seed % 1000;
}

static void compare(const char *What, const int *A, const int *B) {
  int Bad = 0;
  for (int I = 0; I < N; ++I)
    Bad += A[I] != B[I];
  printf("%s: %d wrong\n", What, Bad);
}

// The array changes between the loops.
static void bodies(void) {
  begin(P, 7);
  begin(V, 3);
  memcpy(Want, P, sizeof(P));
  memcpy(WantV, V, sizeof(V));
  for (int S = 0; S < Steps; ++S) {
    for (int I = 0; I < N; ++I)
      WantV[I] += pull(Want, I, 64 * (I % 3)) + pull(Want, I, N) % 7;
    for (int I = 0; I < N; ++I)
      Want[I] += WantV[I];
  }
#pragma accx spread(P, V)
  for (int S = 0; S < Steps; ++S) {
#pragma accx distribute
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I) {
      int Sum = 0, Few = 0;
      for (int J = 0; J < N; ++J)
        Sum += P[J] ^ I;
      for (int J = 0; J < 64 * (I % 3); ++J)
        Few += P[J] ^ I;
      V[I] += Few + Sum % 7;
    }
#pragma accx distribute
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      P[I] += V[I];
  }
  compare("bodies", V, WantV);
}

// A section, of which the pointer is elsewhere.
static void section(void) {
  begin(P, 11);
  enum { From = 1234, Count = 17000 };
  for (int I = 0; I < N; ++I)
    Want[I] = pull(P + From, I, Count);
  const int *Part = P + 5;
#pragma accx spread(P, V)
  {
#pragma accx distribute
#pragma omp target teams distribute parallel for map(                          \
        to : Part[From - 5 : Count])
    for (int I = 0; I < N; ++I) {
      int Sum = 0;
      for (int J = 0; J < Count; ++J)
        Sum += Part[From - 5 + J] ^ I;
      V[I] = Sum;
    }
  }
  compare("section", V, Want);
}

// The address alone is mapped.
static void addressAlone(void) {
  begin(P, 17);
  for (int I = 0; I < N; ++I)
    Want[I] = pull(P, I, N);
  int *All = P + 3, *Out = V;
#pragma accx spread(P, V)
  {
#pragma accx distribute
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I) {
      int Sum = 0;
      for (int J = 0; J < N; ++J)
        Sum += All[J - 3] ^ I;
      Out[I] = Sum;
    }
  }
  compare("address alone", V, Want);
}

// The loop writes what lies behind what it reads, in the same array.
static void halves(void) {
  begin(P, 5);
  memcpy(Want, P, sizeof(P));
  enum { Half = N / 2 };
  for (int I = Half; I < N; ++I)
    Want[I] = pull(Want, I, Half) + Want[I];
  int *High = P;
#pragma accx spread(P)
  {
#pragma accx distribute
#pragma omp target teams distribute parallel for map(tofrom : High[0 : N])
    for (int I = Half; I < N; ++I) {
      int Sum = 0;
      for (int J = 0; J < Half; ++J)
        Sum += P[J] ^ I;
      High[I] += Sum;
    }
  }
  compare("halves", P, Want);
}

// An address that outlives the loop is that of the array.
static void addresses(void) {
  begin(P, 13);
  for (int I = 0; I < N; ++I)
    Want[I] = 2 * P[I] + 1;
#pragma accx spread(P, V, Kept)
  {
#pragma accx distribute
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I) {
      int Sum = 0;
      for (int J = 0; J < N; ++J)
        Sum += P[J] & 1;
      V[I] = Sum;
      Kept[I] = &P[I];
    }
#pragma accx distribute
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      P[I] = 2 * P[I] + 1;
#pragma accx distribute
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I)
      V[I] = *Kept[I];
  }
  compare("addresses", V, Want);
}

// Five loops read through an array of four parts.
// FOUR-COUNT-4: within_copies=20 within_bytes=388000
int main(void) {
  // CHECK: bodies: 0 wrong
  bodies();
  // CHECK: section: 0 wrong
  section();
  // CHECK: address alone: 0 wrong
  addressAlone();
  // CHECK: halves: 0 wrong
  halves();
  // CHECK: addresses: 0 wrong
  addresses();
  return 0;
}
