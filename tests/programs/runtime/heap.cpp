// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of a region allocate memory. That of all of them at once is more than
// the 8 MiB that a GPU's driver gives to malloc; so are, without optimization,
// arrays that a function might keep a pointer to.
//
// RUN: %clangxx -g -O2 %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %clangxx -g -O0 %s -o %t0
// RUN: %run %t0 | FileCheck %s

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Size = 64;

#pragma omp begin declare target
double *Kept;
[[gnu::noinline]] void fill(double *Array, int First) {
  for (int I = 0; I < Size; ++I)
    Array[I] = First + I;
  if (First < 0)
    Kept = Array;
}
#pragma omp end declare target

int main() {
  constexpr int N = 1 << 18;
  std::vector<double> Sums(N);
  double *S = Sums.data();
#pragma omp target teams distribute parallel for map(from : S[ : N])
  for (int I = 0; I < N; ++I) {
    double Local[Size];
    auto *Array = static_cast<double *>(std::malloc(sizeof(Local)));
    S[I] = -1;
    if (!Array)
      continue;
    fill(Local, I);
    fill(Array, I);
    double Sum = 0;
    for (int J = 0; J < Size; ++J)
      Sum += Array[J] + Local[Size - 1 - J];
    S[I] = Sum;
    std::free(Array);
  }
  int Wrong = 0;
  for (int I = 0; I < N; ++I)
    Wrong += S[I] != double(Size) * (2 * I + Size - 1);
  // CHECK: 0 wrong
  std::printf("%d wrong\n", Wrong);
  return Wrong != 0;
}
