// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distributed loops of C++: iterators, templates, references, members,
// functions of a class, and reductions whose type an instance decides.
//
// RUN: %accxcxx -Wno-openmp-mapping -O1 -std=c++11 %s -o %t
// RUN: %t | FileCheck %s
// RUN: %accxcxx -Wno-openmp-mapping -O0 -std=c++20 %s -o %t
// RUN: %t | FileCheck %s
#include <cstdio>
#include <cstring>
#include <vector>

static long Iterations;
static int NumDevices;
static char Memory[4096];
static std::size_t Used;
extern "C" int __accx_distribute_begin(const int *, int N, unsigned, long Count,
                                       const char *) {
  NumDevices = N;
  Iterations = Count;
  Used = 0;
  return 2;
}
extern "C" void *__accx_distribute_slots(const void *V, unsigned long Bytes,
                                         const char *) {
  char *Here = Memory + Used;
  for (int P = 0; P < 2; ++P)
    std::memcpy(Here + P * Bytes, V, Bytes);
  Used += (2 * Bytes + 15) / 16 * 16;
  return Here;
}
extern "C" int __accx_distribute_end(void) { return 2; }

struct Pair {
  double A = 0, B = 0;
  Pair() = default;
  Pair(int X) : A(X), B(X) {}
  Pair &operator+=(const Pair &O) {
    A += O.A;
    B += O.B;
    return *this;
  }
};
#pragma omp declare reduction(+ : Pair : omp_out += omp_in)

template <typename T, typename I> T sum(const T *P, I N) {
  T S = T(), Most = P[0];
#pragma accx distribute
#pragma omp target teams distribute parallel for map(to : P[0 : N])            \
    reduction(+ : S)
  for (I J = 0; J < N; ++J)
    S += P[J];
  return S;
}

template <typename T> T most(const T *P, int N) {
  T M = P[0];
#pragma accx distribute schedule(block)
#pragma omp target teams distribute parallel for map(to : P[0 : N])            \
    reduction(max : M)
  for (const T *Q = P; Q < P + N; ++Q)
    M = M < *Q ? *Q : M;
  return M;
}

struct Field {
  int N = 20;
  double Data[20];
  double fill(int &First) {
    double S = 0, &R = S;
#pragma accx distribute
#pragma omp target teams distribute parallel for map(Data) reduction(+ : R)
    for (int I = First; I < this->N; I += 2) {
      Data[I] = I;
      R += I;
    }
    return S;
  }
  long count() {
    long C = 0;
#pragma accx distribute
#pragma acc parallel loop reduction(+ : C)
    for (auto I = N; I > 0; --I)
      C += I;
    return C;
  }
};

int main() {
  int Bad = 0;
  double D[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  float F[4] = {4, 3, 2, 1};
  int First = 4;
  Bad += sum(D, 9) != 45 || Iterations != 9 || NumDevices != -1;
  Bad += sum(F, 4u) != 10 || Iterations != 4;
  Bad += sum(F, short(3)) != 9;
  // CHECK: sums 0
  std::printf("sums %d\n", Bad);
  Bad = most(D, 9) != 9 || most(F, 4) != 4 || Iterations != 4;
  // CHECK: most 0
  std::printf("most %d\n", Bad);
  Field G;
  Bad = G.fill(First) != 4 + 6 + 8 + 10 + 12 + 14 + 16 + 18 || Iterations != 8;
  Bad += G.Data[18] != 18 || G.count() != 210 || Iterations != 20;
  // CHECK: members 0
  std::printf("members %d\n", Bad);
  // The class's values are one device's.
  const Pair Pairs[3] = {1, 2, 3};
  Bad = sum(Pairs, 3).B != 6 || Iterations != 0;
  // CHECK: classes 0
  std::printf("classes %d\n", Bad);
  std::vector<int> V(12, 3);
  int S = 0;
  // On the host, where the vector's memory is.
#pragma accx distribute
#pragma omp target teams distribute parallel for if (0) reduction(+ : S)
  for (std::vector<int>::const_iterator I = V.begin(); I < V.end(); I += 5)
    S += *I;
  Bad = S != 9 || Iterations != 3;
#pragma accx distribute
#pragma omp target teams distribute parallel for if (0) reduction(+ : S)
  for (auto I = V.end() - 1; I >= V.begin(); --I)
    S += *I;
  Bad += S != 45 || Iterations != 12;
#pragma accx distribute
#pragma omp target teams distribute parallel for if (0) reduction(+ : S)
  for (auto &E : V)
    S += E;
  Bad += S != 81 || Iterations != 0;
  // CHECK: iterators 0
  std::printf("iterators %d\n", Bad);
  return 0;
}
