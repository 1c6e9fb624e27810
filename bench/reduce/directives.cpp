//===- directives.cpp - Reductions, as programs have them -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flat sums, maxima and products, points in a circle, and one reduction in each
// position of a nest. Arrays are on the device, results come back within the
// timed part. Arguments: names of parts (flat, pi, arrays, positions), small.
//
//===----------------------------------------------------------------------===//

#include "data.h"

#ifndef IMPL
#define IMPL "accx"
#endif

template <typename T> static T sum(int N, const T *X) {
  T S = 0;
#pragma omp target teams distribute parallel for map(to : X[ : N])             \
    reduction(+ : S)
  for (int I = 0; I < N; ++I)
    S += X[I];
  return S;
}

template <typename T> static T most(int N, const T *X) {
  T S = X[0];
#pragma omp target teams distribute parallel for map(to : X[ : N])             \
    reduction(max : S)
  for (int I = 0; I < N; ++I)
    S = S < X[I] ? X[I] : S;
  return S;
}

template <typename T> static T product(int N, const T *X) {
  T S = 1;
#pragma omp target teams distribute parallel for map(to : X[ : N])             \
    reduction(* : S)
  for (int I = 0; I < N; ++I)
    S *= X[I];
  return S;
}

static int inCircle(int N, const float *X, const float *Y) {
  int S = 0;
#pragma omp target teams distribute parallel for map(to : X[ : N], Y[ : N])    \
    reduction(+ : S)
  for (int I = 0; I < N; ++I)
    S += X[I] * X[I] + Y[I] * Y[I] < 1;
  return S;
}

static void flatNames(char (&Name)[32], const char *What, const char *Type) {
  snprintf(Name, sizeof Name, "%s-%s", What, Type);
}

template <typename T> static void flat(int N, const char *Type) {
  T *X = filledWith<T>(size_t(N)), Got = 0;
  Expected<T> E;
  double Ms;
  char Name[32];
  const double Bytes = double(N) * sizeof(T);
#pragma omp target enter data map(alloc : X[ : N])
  fillForSums(X, size_t(N));
  expectSums(X, size_t(N), E);
#pragma omp target update to(X[ : N])
  MEDIAN_OF(Ms, Got = sum(N, X));
  flatNames(Name, "sum", Type);
  report(Name, IMPL, N, Ms, Bytes, "GB/s", isSum(Got, E));
  MEDIAN_OF(Ms, Got = most(N, X));
  flatNames(Name, "max", Type);
  report(Name, IMPL, N, Ms, Bytes, "GB/s", double(Got) == E.Most);
  fillForProducts(X, size_t(N));
  expectProducts(X, size_t(N), E);
#pragma omp target update to(X[ : N])
  MEDIAN_OF(Ms, Got = product(N, X));
  flatNames(Name, "product", Type);
  report(Name, IMPL, N, Ms, Bytes, "GB/s", isProduct(Got, E));
#pragma omp target exit data map(delete : X[ : N])
  free(X);
}

static void pi(int N) {
  float *X = filledWith<float>(size_t(N)), *Y = filledWith<float>(size_t(N));
#pragma omp parallel for
  for (int I = 0; I < N; ++I) {
    X[I] = noise(2ul * size_t(I));
    Y[I] = noise(2ul * size_t(I) + 1);
  }
  double Ms;
  int Got = 0;
#pragma omp target data map(to : X[ : N], Y[ : N])
  MEDIAN_OF(Ms, Got = inCircle(N, X, Y));
  report("pi", IMPL, N, Ms, 8.0 * N, "GB/s", isPi(Got, X, Y, size_t(N)));
  free(X);
  free(Y);
}

/* Sums by residue, as an array, as one variable each, and as a histogram. */
static void inArray(int N, const float *X, float (&S)[8]) {
#pragma omp target teams distribute parallel for map(to : X[ : N])             \
    reduction(+ : S)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < 8; ++J)
      S[J] += X[I] * (float)J;
}

static void inScalars(int N, const float *X, float (&S)[8]) {
  float A = 0, B = 0, C = 0, D = 0, E = 0, F = 0, G = 0, H = 0;
#pragma omp target teams distribute parallel for map(to : X[ : N])             \
    reduction(+ : A, B, C, D, E, F, G, H)
  for (int I = 0; I < N; ++I) {
    A += X[I] * 0;
    B += X[I] * 1;
    C += X[I] * 2;
    D += X[I] * 3;
    E += X[I] * 4;
    F += X[I] * 5;
    G += X[I] * 6;
    H += X[I] * 7;
  }
  float All[] = {A, B, C, D, E, F, G, H};
  memcpy(S, All, sizeof All);
}

static void inBins(int N, const float *X, int (&S)[256]) {
#pragma omp target teams distribute parallel for map(to : X[ : N])             \
    reduction(+ : S)
  for (int I = 0; I < N; ++I)
    S[(int)X[I] & 255] += 1;
}

static void arrays(int N) {
  float *X = filledWith<float>(size_t(N));
  long Want[256] = {}, Sum = 0;
  for (int I = 0; I < N; ++I) {
    X[I] = float(int(noise(size_t(I)) * 256));
    ++Want[int(X[I])];
    Sum += long(X[I]);
  }
  double Ms;
  float Few[8];
  int Bins[256];
#pragma omp target data map(to : X[ : N])
  {
    MEDIAN_OF(Ms, memset(Few, 0, sizeof Few); inArray(N, X, Few));
    bool Right = true;
    for (int J = 0; J < 8; ++J)
      Right &= isNear(Few[J], double(Sum) * J, 1e-4);
    report("array-8", IMPL, N, Ms, 4.0 * N, "GB/s", Right);
    MEDIAN_OF(Ms, memset(Few, 0, sizeof Few); inScalars(N, X, Few));
    Right = true;
    for (int J = 0; J < 8; ++J)
      Right &= isNear(Few[J], double(Sum) * J, 1e-4);
    report("scalars-8", IMPL, N, Ms, 4.0 * N, "GB/s", Right);
    MEDIAN_OF(Ms, memset(Bins, 0, sizeof Bins); inBins(N, X, Bins));
    Right = true;
    for (int B = 0; B < 256; ++B)
      Right &= Bins[B] == Want[B];
    report("bins-256", IMPL, N, Ms, 4.0 * N, "GB/s", Right);
  }
  free(X);
}

#define AT(K, J, I)                                                            \
  (((size_t)(K) * (size_t)NJ + (size_t)(J)) * (size_t)NI + (size_t)(I))

static void inVector(int NK, int NJ, int NI, const float *In, float *Out) {
#pragma omp target teams distribute map(In[ : AT(NK, 0, 0)], Out[ : NK * NJ])
  for (int K = 0; K < NK; ++K) {
#pragma omp parallel for
    for (int J = 0; J < NJ; ++J) {
      float S = 0;
#pragma omp simd reduction(+ : S)
      for (int I = 0; I < NI; ++I)
        S += In[AT(K, J, I)];
      Out[K * NJ + J] = S;
    }
  }
}

static void inWorkerVector(int NK, int NJ, int NI, const float *In,
                           float *Out) {
#pragma omp target teams distribute map(In[ : AT(NK, 0, 0)], Out[ : NK])
  for (int K = 0; K < NK; ++K) {
    float S = 0;
#pragma omp parallel for reduction(+ : S)
    for (int J = 0; J < NJ; ++J) {
#pragma omp simd reduction(+ : S)
      for (int I = 0; I < NI; ++I)
        S += In[AT(K, J, I)];
    }
    Out[K] = S;
  }
}

static void inAll(int NK, int NJ, int NI, const float *In, float *Out) {
  float S = 0;
#pragma omp target teams distribute map(In[ : AT(NK, 0, 0)]) reduction(+ : S)
  for (int K = 0; K < NK; ++K) {
#pragma omp parallel for reduction(+ : S)
    for (int J = 0; J < NJ; ++J) {
#pragma omp simd reduction(+ : S)
      for (int I = 0; I < NI; ++I)
        S += In[AT(K, J, I)];
    }
  }
  Out[0] = S;
}

static void inWorker(int NK, int NJ, int NI, const float *In, float *Tmp,
                     float *Out) {
#pragma omp target teams distribute map(In[ : AT(NK, 0, 0)],                   \
                                            Tmp[ : AT(NK, 0, 0)], Out[ : NK])
  for (int K = 0; K < NK; ++K) {
    float S = 0;
#pragma omp parallel for reduction(+ : S)
    for (int J = 0; J < NJ; ++J) {
#pragma omp simd
      for (int I = 0; I < NI; ++I)
        Tmp[AT(K, J, I)] = In[AT(K, J, I)];
      S += In[AT(K, J, 0)];
    }
    Out[K] = S;
  }
}

static void inGang(int NK, int NJ, int NI, const float *In, float *Tmp,
                   float *Out) {
  float S = 0;
#pragma omp target teams distribute reduction(+ : S)                           \
    map(In[ : AT(NK, 0, 0)], Tmp[ : AT(NK, 0, 0)])
  for (int K = 0; K < NK; ++K) {
#pragma omp parallel for
    for (int J = 0; J < NJ; ++J) {
#pragma omp simd
      for (int I = 0; I < NI; ++I)
        Tmp[AT(K, J, I)] = In[AT(K, J, I)];
    }
    S += In[AT(K, 0, 0)];
  }
  Out[0] = S;
}

template <typename Body>
static void position(const char *Name, int NK, int NJ, int NI, int Results,
                     bool Moves, Body Run) {
  const size_t N = AT(NK, 0, 0);
  float *In = filledWith<float>(N), *Tmp = filledWith<float>(Moves ? N : 1),
        *Out = filledWith<float>(size_t(Results));
  fillForPositions(In, N);
  double Ms;
  bool Right = true;
#pragma omp target enter data map(to : In[ : N])
#pragma omp target enter data map(alloc : Tmp[ : Moves ? N : 1])
  MEDIAN_OF(Ms, Run(In, Tmp, Out));
  if (Moves) {
#pragma omp target update from(Tmp[ : N])
    Right = !memcmp(In, Tmp, N * sizeof(float));
  }
  const size_t Each = N / size_t(Results);
  for (int R = 0; R < Results; ++R) {
    double Want = 0;
    for (size_t I = 0; I < Each; ++I)
      if (!Moves ||
          I % (size_t(Results) == 1 ? size_t(NJ) * size_t(NI) : size_t(NI)) ==
              0)
        Want += In[size_t(R) * Each + I];
    Right &= Out[R] == Want;
  }
  report(Name, IMPL, int(N), Ms, (Moves ? 8.0 : 4.0) * double(N), "GB/s",
         Right);
#pragma omp target exit data map(delete : In[ : N], Tmp[ : Moves ? N : 1])
  free(In);
  free(Tmp);
  free(Out);
}

static void positions(int N) {
  position("vector", 2, 32, N, 64, false,
           [=](auto *In, auto *, auto *Out) { inVector(2, 32, N, In, Out); });
  position(
      "worker-vector", 2, 32, N, 2, false,
      [=](auto *In, auto *, auto *Out) { inWorkerVector(2, 32, N, In, Out); });
  position("gang-worker-vector", 2, 32, N, 1, false,
           [=](auto *In, auto *, auto *Out) { inAll(2, 32, N, In, Out); });
  position("worker", 2, N, 32, 2, true, [=](auto *In, auto *Tmp, auto *Out) {
    inWorker(2, N, 32, In, Tmp, Out);
  });
  position("gang", N, 2, 32, 1, true, [=](auto *In, auto *Tmp, auto *Out) {
    inGang(N, 2, 32, In, Tmp, Out);
  });
}

int main(int Count, char **Args) {
  bool Small = false;
  for (int I = 1; I < Count; ++I)
    Small |= !strcmp(Args[I], "small");
  const int Sizes[] = {Small ? 1 << 12 : 1 << 16, Small ? 1 << 18 : 1 << 28};
  for (int N : Sizes) {
    if (isWanted(Count, Args, "flat")) {
      flat<int>(N, "int");
      flat<float>(N, "float");
      flat<double>(N, "double");
    }
    if (isWanted(Count, Args, "pi"))
      pi(N);
  }
  if (isWanted(Count, Args, "arrays"))
    arrays(Small ? 1 << 16 : 1 << 24);
  if (isWanted(Count, Args, "positions"))
    positions(Small ? 1 << 10 : 1 << 20);
  return Wrong != 0;
}
