// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of blocks and grids of all shapes, over no, few and many
// iterations, of variables of all kinds, against sequential runs.

#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

static int Bad, All;
static void check(bool Right, const char *What, long A = 0, long B = 0) {
  ++All;
  if (Right)
    return;
  ++Bad;
  std::printf("WRONG %s (%ld, %ld)\n", What, A, B);
}

// Threads that are no multiple of a warp, or fewer than one.
template <int Threads> static void threads(const std::vector<int> &Data) {
  const int *X = Data.data();
  for (int N : {0, 1, 31, 33, 1000, int(Data.size())}) {
    long Sum = 7, Want = 7;
    int Most = -1000, WantMost = -1000;
#pragma omp target teams distribute parallel for thread_limit(Threads)         \
    reduction(+ : Sum) reduction(max : Most) map(to : X[ : N])
    for (int I = 0; I < N; ++I) {
      Sum += X[I];
      Most = Most < X[I] ? X[I] : Most;
    }
    for (int I = 0; I < N; ++I) {
      Want += X[I];
      WantMost = WantMost < X[I] ? X[I] : WantMost;
    }
    check(Sum == Want && Most == WantMost, "threads", Threads, N);
  }
}

// More blocks than the buffer has records.
static void blocks(const std::vector<int> &Data) {
  const int *X = Data.data();
  const int N = int(Data.size());
  for (int Teams : {1, 2, 1023, 1024, 1025, 16384, 16385, 50000}) {
    float Sum = 1, Want = 1;
#pragma omp target teams distribute parallel for num_teams(Teams)              \
    thread_limit(32) reduction(+ : Sum) map(to : X[ : N])
    for (int I = 0; I < N; ++I)
      Sum += float(X[I]);
    for (int I = 0; I < N; ++I)
      Want += float(X[I]);
    check(Sum == Want, "blocks", Teams);
  }
}

static void large(const std::vector<int> &Data) {
  const int *X = Data.data();
  const int N = int(Data.size());
  for (int Teams : {1, 3, 700, 1024, 5000}) {
    double Bins[300] = {}, Want[300] = {};
    short Few[5] = {1, 2, 3, 4, 5}, WantFew[5] = {1, 2, 3, 4, 5};
#pragma omp target teams distribute parallel for num_teams(Teams)              \
    thread_limit(96) reduction(+ : Bins, Few[1 : 3]) map(to : X[ : N])
    for (int I = 0; I < N; ++I) {
      Bins[(X[I] + 100) % 300] += X[I];
      Few[1 + I % 3] += 1;
    }
    for (int I = 0; I < N; ++I) {
      Want[(X[I] + 100) % 300] += X[I];
      WantFew[1 + I % 3] += 1;
    }
    bool Right = true;
    for (int B = 0; B < 300; ++B)
      Right &= Bins[B] == Want[B];
    for (int B = 0; B < 5; ++B)
      Right &= Few[B] == WantFew[B];
    check(Right, "large", Teams);
  }
}

struct Odd {
  signed char Low[3];
  double Sum;
  union {
    int Whole;
    signed char Parts[4];
  };
};
#pragma omp declare target
static inline void combine(Odd &Into, const Odd &From) {
  for (int I = 0; I < 3; ++I)
    Into.Low[I] = Into.Low[I] < From.Low[I] ? Into.Low[I] : From.Low[I];
  Into.Sum += From.Sum;
  for (int I = 0; I < 4; ++I)
    Into.Parts[I] ^= From.Parts[I];
}
#pragma omp end declare target
#pragma omp declare reduction(odd:Odd : combine(omp_out, omp_in))              \
    initializer(omp_priv = Odd{{100, 100, 100}, 0, {0}})

struct Pair {
  long Value;
  int At;
};
#pragma omp declare reduction(                                                 \
        least:Pair : omp_out =                                                 \
            omp_in.Value < omp_out.Value || (omp_in.Value == omp_out.Value &&  \
                                                 omp_in.At < omp_out.At)       \
                    ? omp_in                                                   \
                    : omp_out) initializer(omp_priv = Pair{1l << 40, 1 << 30})

static void kinds(const std::vector<int> &Data) {
  const int *X = Data.data();
  for (int N : {0, 5, int(Data.size())}) {
    Odd O = {{50, 60, 70}, 1, {0}}, WantO = O;
    Pair P = {90, -1}, WantP = P;
    std::complex<double> C = 1, WantC = 1;
    bool Any = false, Every = true, WantAny = false, WantEvery = true;
    unsigned char Bits = 1, WantBits = 1;
    unsigned long Flip = 3, WantFlip = 3;
    float Product = 1, WantProduct = 1;
    const auto Step = [](int V, int I, auto &O, auto &P, auto &C, auto &Any,
                         auto &Every, auto &Bits, auto &Flip, auto &Product) {
      Odd Here = {{(signed char)V, (signed char)-V, (signed char)(I % 9)},
                  double(V),
                  {V * 77}};
      combine(O, Here);
      if (V < P.Value || (V == P.Value && I < P.At))
        P = {V, I};
      C += std::complex<double>(V, -I % 5);
      Any = Any || V == 99;
      Every = Every && V != 98;
      Bits |= (unsigned char)(V == 97 ? 64 : 0);
      Flip ^= (unsigned long)V << (I % 40);
      Product *= V % 2 ? -1.f : 1.f;
    };
#pragma omp target teams distribute parallel for reduction(odd : O)            \
    reduction(least : P) reduction(+ : C) reduction(|| : Any)                  \
    reduction(&& : Every) reduction(| : Bits) reduction(^ : Flip)              \
    reduction(* : Product) map(to : X[ : N])
    for (int I = 0; I < N; ++I)
      Step(X[I], I, O, P, C, Any, Every, Bits, Flip, Product);
    for (int I = 0; I < N; ++I)
      Step(X[I], I, WantO, WantP, WantC, WantAny, WantEvery, WantBits, WantFlip,
           WantProduct);
    check(O.Low[0] == WantO.Low[0] && O.Low[1] == WantO.Low[1] &&
              O.Low[2] == WantO.Low[2] && O.Sum == WantO.Sum &&
              O.Whole == WantO.Whole,
          "struct with a union", N);
    check(P.Value == WantP.Value && P.At == WantP.At, "least with place", N);
    check(C == WantC, "complex", N);
    check(Any == WantAny && Every == WantEvery, "logical", N);
    check(Bits == WantBits && Flip == WantFlip, "bits", N);
    check(Product == WantProduct, "product", N);
  }
}

// The counters of each launch start anew, several at a time; all runs agree to
// the bit.
static void launches(const std::vector<int> &Data) {
  const int *X = Data.data();
  const int N = int(Data.size());
  float Sums[1500];
#pragma omp target data map(to : X[ : N])
  for (int L = 0; L < 1500; ++L) {
    float Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum)
    for (int I = 0; I < N; ++I)
      Sum += 1.0f / float(1 + X[I] * X[I] + I % 7);
    Sums[L] = Sum;
  }
  bool Same = true;
  for (float Sum : Sums)
    Same &= Sum == Sums[0];
  check(Same, "the same from run to run");
}

// Two reductions of one region, one after the other.
static void twice(const std::vector<int> &Data) {
  const int *X = Data.data();
  const int N = int(Data.size());
  long A = 0, B = 0, WantA = 0, WantB = 0;
#pragma omp target parallel map(to : X[ : N]) map(tofrom : A, B)
  {
#pragma omp for reduction(+ : A)
    for (int I = 0; I < N; ++I)
      A += X[I];
#pragma omp for reduction(max : B)
    for (int I = 0; I < N; ++I)
      B = B < A + X[I] ? A + X[I] : B;
  }
  for (int I = 0; I < N; ++I)
    WantA += X[I];
  for (int I = 0; I < N; ++I)
    WantB = WantB < WantA + X[I] ? WantA + X[I] : WantB;
  check(A == WantA && B == WantB, "twice");
}

int main() {
  std::vector<int> Data(100003);
  unsigned Seed = 1;
  for (int &D : Data)
    D = int((Seed = Seed * 1664525 + 1013904223) >> 8) % 100;
  threads<1>(Data);
  threads<17>(Data);
  threads<32>(Data);
  threads<33>(Data);
  threads<100>(Data);
  threads<128>(Data);
  threads<500>(Data);
  threads<1024>(Data);
  blocks(Data);
  large(Data);
  kinds(Data);
  twice(Data);
  launches(Data);
  std::printf("%d of %d right\n", All - Bad, All);
  return Bad != 0;
}
