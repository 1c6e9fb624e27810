//===- arrays.cpp - Arrays reduced in all shapes, checked -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators, types, sections, several arrays, arrays beside single variables,
// one team and many, each against the same loop run here. Prints what is wrong,
// and how many comparisons were right.
//
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define TARGET(...) PRAGMA(omp target __VA_ARGS__)
#ifdef SPELL_OPENACC
#define GRID(...) PRAGMA(acc parallel loop gang vector __VA_ARGS__)
#define TO(X) copyin(X)
#define BOTH(X) copy(X)
#else
#define GRID(...) TARGET(teams distribute parallel for __VA_ARGS__)
#define TO(X) map(to : X)
#define BOTH(X) map(tofrom : X)
#endif

static int Right, Wrong;

template <typename T>
static void check(const char *What, int N, const T *Got, const T *Want,
                  int Count) {
  for (int I = 0; I < Count; ++I) {
    const double Off = double(Got[I]) - double(Want[I]);
    const double Size =
        double(Want[I]) < 0 ? -double(Want[I]) : double(Want[I]);
    if ((T(0.5) == T(0)) ? Got[I] != Want[I]
                         : (Off < 0 ? -Off : Off) > 1e-4 * (Size + 1)) {
      printf("WRONG %s, %d iterations: [%d] is %g, not %g\n", What, N, I,
             double(Got[I]), double(Want[I]));
      ++Wrong;
      return;
    }
  }
  ++Right;
}

static unsigned mix(unsigned X) {
  X = (X ^ 61) ^ (X >> 16);
  X *= 9;
  X ^= X >> 4;
  X *= 0x27d4eb2du;
  return X ^ (X >> 15);
}

/// N numbers below Below, some far more often than others.
static int *numbers(int N, int Below) {
  int *X = static_cast<int *>(malloc(sizeof(int) * size_t(N + 1)));
  for (int I = 0; I < N; ++I) {
    const unsigned R = mix(unsigned(I));
    X[I] = int(R % 3 ? R / 3 % unsigned(Below) : R / 7 % 3 % unsigned(Below));
  }
  return X;
}

template <typename T, int K> static void sums(const char *What, int N) {
  int *X = numbers(N, K);
  T Got[K], Want[K];
  for (int I = 0; I < K; ++I)
    Got[I] = Want[I] = T(I + 1);
  GRID(TO(X[:N]) reduction(+ : Got))
  for (int I = 0; I < N; ++I)
    Got[X[I]] += T(X[I] % 5 + 1);
  for (int I = 0; I < N; ++I)
    Want[X[I]] += T(X[I] % 5 + 1);
  check(What, N, Got, Want, K);
  free(X);
}

template <typename T> static void bits(const char *What, int N) {
  enum { K = 40 };
  int *X = numbers(N, K);
  T A[K], O[K], E[K], WantA[K], WantO[K], WantE[K];
  for (int I = 0; I < K; ++I) {
    A[I] = WantA[I] = T(~(T(I) << 3));
    O[I] = WantO[I] = T(I);
    E[I] = WantE[I] = T(I) * 77;
  }
  GRID(TO(X[:N]) reduction(& : A) reduction(| : O) reduction(^ : E))
  for (int I = 0; I < N; ++I) {
    A[X[I]] &= T(~(T(1) << (I % 29)));
    O[X[I]] |= T(T(1) << (I % 31));
    E[X[I]] = E[X[I]] ^ T(I);
  }
  for (int I = 0; I < N; ++I) {
    WantA[X[I]] &= T(~(T(1) << (I % 29)));
    WantO[X[I]] |= T(T(1) << (I % 31));
    WantE[X[I]] = WantE[X[I]] ^ T(I);
  }
  check(What, N, A, WantA, K);
  check(What, N, O, WantO, K);
  check(What, N, E, WantE, K);
  free(X);
}

/// Written as a condition, as a choice, and beside a single variable.
template <typename T> static void extremes(const char *What, int N) {
  enum { K = 33 };
  int *X = numbers(N, K);
  T Most[K], Least[K], WantMost[K], WantLeast[K], All = 0, WantAll = 0;
  for (int I = 0; I < K; ++I) {
    Most[I] = WantMost[I] = T(I);
    Least[I] = WantLeast[I] = T(1000000 + I);
  }
  GRID(TO(X[:N]) reduction(max : Most) reduction(min : Least)
           reduction(+ : All))
  for (int I = 0; I < N; ++I) {
    const T V = T(X[I] * 1000 - I % 7777);
    if (V > Most[X[I]])
      Most[X[I]] = V;
    Least[X[I]] = V < Least[X[I]] ? V : Least[X[I]];
    All += V;
  }
  for (int I = 0; I < N; ++I) {
    const T V = T(X[I] * 1000 - I % 7777);
    if (V > WantMost[X[I]])
      WantMost[X[I]] = V;
    WantLeast[X[I]] = V < WantLeast[X[I]] ? V : WantLeast[X[I]];
    WantAll += V;
  }
  check(What, N, Most, WantMost, K);
  check(What, N, Least, WantLeast, K);
  check(What, N, &All, &WantAll, 1);
  free(X);
}

/// A part of an array, not from its start; another of two dimensions.
static void sections(int N) {
  enum { From = 7, Count = 100, Rows = 5, Columns = 6 };
  int *X = numbers(N, Count);
  double Got[From + Count + 3], Want[From + Count + 3];
  float Table[Rows][Columns], WantTable[Rows][Columns];
  for (int I = 0; I < From + Count + 3; ++I)
    Got[I] = Want[I] = I * 0.5;
  for (int I = 0; I < Rows * Columns; ++I)
    Table[I / Columns][I % Columns] = WantTable[I / Columns][I % Columns] =
        float(I);
  double *P = Got;
  GRID(TO(X[:N]) BOTH(P[:From + Count + 3]) reduction(+ : P [From:Count])
           reduction(+ : Table))
  for (int I = 0; I < N; ++I) {
    P[From + X[I]] -= 0.25;
    Table[X[I] % Rows][X[I] % Columns] += 0.5f * float(X[I]);
    if (X[I] & 1)
      Table[0][0] -= 1;
    else
      Table[0][1] += 2;
  }
  for (int I = 0; I < N; ++I) {
    Want[From + X[I]] -= 0.25;
    WantTable[X[I] % Rows][X[I] % Columns] += 0.5f * float(X[I]);
    if (X[I] & 1)
      WantTable[0][0] -= 1;
    else
      WantTable[0][1] += 2;
  }
  check("section", N, Got, Want, From + Count + 3);
  check("table", N, &Table[0][0], &WantTable[0][0], Rows * Columns);
  free(X);
}

/// Arrays of which one stays with the threads, with single variables.
static void mixed(int N) {
  enum { K = 12 };
  int *X = numbers(N, K);
  int Counts[K] = {}, WantCounts[K] = {}, Read[K] = {}, WantRead[K] = {};
  float Sums[K][2] = {}, WantSums[K][2] = {};
  double Total = 3, WantTotal = 3;
  char Any = 0, WantAny = 0;
  GRID(TO(X[:N]) reduction(+ : Total, Counts, Sums, Read) reduction(|| : Any))
  for (int I = 0; I < N; ++I) {
    const int C = X[I];
    Counts[C]++;
    for (int J = 0; J < 2; ++J)
      Sums[C][J] += float(J + 1) * float(C);
    Total += C;
    Any = Any || C == 11;
    Read[C] = Read[C] + 1;
    Read[(C + 1) % K] += 1 + (Read[C] >= 0);
  }
  for (int I = 0; I < N; ++I) {
    const int C = X[I];
    WantCounts[C]++;
    for (int J = 0; J < 2; ++J)
      WantSums[C][J] += float(J + 1) * float(C);
    WantTotal += C;
    WantAny = WantAny || C == 11;
    WantRead[C] = WantRead[C] + 1;
    WantRead[(C + 1) % K] += 2;
  }
  check("counts beside others", N, Counts, WantCounts, K);
  check("sums beside others", N, &Sums[0][0], &WantSums[0][0], 2 * K);
  check("array of the threads", N, Read, WantRead, K);
  check("sum beside arrays", N, &Total, &WantTotal, 1);
  check("or beside arrays", N, &Any, &WantAny, 1);
  free(X);
}

/// One team; and again in the same program.
static void oneTeam(int N) {
  enum { K = 300 };
  int *X = numbers(N, K);
  int Got[K], Want[K];
  for (int I = 0; I < K; ++I)
    Got[I] = Want[I] = I;
  for (int Time = 0; Time < 2; ++Time) {
    TARGET(parallel for map(to : X[:N]) reduction(+ : Got))
    for (int I = 0; I < N; ++I)
      Got[X[I]] += I;
    for (int I = 0; I < N; ++I)
      Want[X[I]] += I;
  }
  check("one team", N, Got, Want, K);
  free(X);
}

/// Elements of one value go elsewhere, and into the same twice.
static void chained(int N) {
  enum { K = 20 };
  int *X = numbers(N, K);
  long Got[K] = {}, Want[K] = {};
  GRID(TO(X[:N]) reduction(+ : Got))
  for (int I = 0; I < N; ++I) {
    Got[X[I]] += I;
    Got[X[I]] -= 3;
    const long T = Got[(X[I] + 1) % K] + 1;
    Got[(X[I] + 1) % K] = T + (I & 1);
    if (X[I] & 1)
      Got[3] += 5;
    Got[3]++;
  }
  for (int I = 0; I < N; ++I) {
    Want[X[I]] += I;
    Want[X[I]] -= 3;
    const long T = Want[(X[I] + 1) % K] + 1;
    Want[(X[I] + 1) % K] = T + (I & 1);
    if (X[I] & 1)
      Want[3] += 5;
    Want[3]++;
  }
  check("chained", N, Got, Want, K);
  free(X);
}

int main(int Count, char **Args) {
  const int Given = Count > 1 ? atoi(Args[1]) : -1;
  for (const int N : {0, 1, 31, 77, 1000, 65537, 1000003}) {
    if (Given >= 0 && N > Given)
      continue;
    sums<int, 256>("int", N);
    sums<unsigned, 1>("one unsigned", N);
    sums<long, 17>("long", N);
    sums<float, 5>("float", N);
    sums<double, 1000>("double", N);
    sums<int, 9000>("many ints", N);
    sums<int, 20000>("too many ints", N);
    sums<short, 16>("short", N);
    bits<int>("bits of int", N);
    bits<unsigned long>("bits of long", N);
    extremes<int>("extremes of int", N);
    extremes<long>("extremes of long", N);
    extremes<float>("extremes of float", N);
    sections(N);
    mixed(N);
    oneTeam(N);
    chained(N);
  }
  printf("%d right, %d wrong\n", Right, Wrong);
  return Wrong != 0;
}
