// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops with heads of all forms are split, by owners and in blocks, and run
// each of their iterations once.
//
// RUN: %accxcc -O2 %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s
// RUN: env ACCX_HOST_DEVICES=1 %run %t 2>&1 | FileCheck %s
// RUN: env ACCX_HOST_DEVICES=7 %run %t 2>&1 | FileCheck %s
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t 2>&1 | FileCheck %s
// RUN: %accxcc -O0 %s -o %t
// RUN: %run %t 2>/dev/null | FileCheck %s
#include <stdio.h>
#include <string.h>

// CHECK-NOT: not distributed
enum { N = 20000 };
static int A[N], B[N];

#define RUN(Head, Index)                                                       \
  {                                                                            \
    long S = 5, T = 5;                                                         \
    memset(A, 0, sizeof(A));                                                   \
    memset(B, 0, sizeof(B));                                                   \
    Head {                                                                     \
      A[Index] += 1 + (Index) % 3;                                             \
      S += (Index);                                                            \
      S += (Index);                                                            \
    }                                                                          \
    _Pragma("accx spread(B)") {                                                \
      _Pragma("accx distribute")                                               \
          _Pragma("omp target teams distribute parallel for reduction(+:T)")   \
              Head {                                                           \
        B[Index] += 1 + (Index) % 3;                                           \
        T += (Index);                                                          \
      }                                                                        \
      _Pragma("accx distribute schedule(block)")                               \
          _Pragma("omp target parallel for reduction(+:T)") Head {             \
        T += (Index);                                                          \
      }                                                                        \
    }                                                                          \
    if (memcmp(A, B, sizeof(A)) || S != T) {                                   \
      printf("line %d: n %d step %d: %ld, not %ld\n", __LINE__, n, st, T, S);  \
      ++Bad;                                                                   \
    }                                                                          \
  }

static int heads(int n, int st) {
  int Bad = 0;
  RUN(for (int i = 3; i < n; ++i), i)
  RUN(for (int i = 3; i <= n; i += 2), i)
  RUN(for (int i = n; i >= 2; i -= 3), i)
  RUN(for (int i = n; i > 0; i = i - st), i)
  RUN(for (int i = 0; n > i; i = st + i), i)
  RUN(for (unsigned i = 4000000000u; i < 4000000000u + n; i += st),
      i - 4000000000u)
  RUN(for (int i = -2147483647 - 1; i < -2147483647 - 1 + n; ++i),
      i + 2147483647 + 1)
  RUN(for (int i = 2147483647 - n; i < 2147483647; ++i), 2147483647 - i)
  RUN(for (long i = 1l << 40; i != (1l << 40) + n; i++), i - (1l << 40))
  RUN(for (unsigned long i = n; i >= 1; i--), i)
  RUN(for (unsigned char i = 3; i < 200; i += 50), i)
  RUN(for (int i = n; i < 0; ++i), i)
  return Bad;
}

static int pointers(int n) {
  int Bad = 0, *P = B;
  memset(B, 0, sizeof(B));
#pragma accx spread(P[0 : N])
  {
#pragma accx distribute
#pragma omp target teams distribute parallel for
    for (int *Q = P; Q < P + n; Q += 2)
      *Q += 3;
#pragma accx distribute schedule(block)
#pragma omp target teams distribute parallel for
    for (int *Q = P + n; Q > P; --Q)
      Q[-1] += 1;
  }
  for (int I = 0; I < N; ++I)
    Bad += B[I] != (I < n ? 1 + (I % 2 ? 0 : 3) : 0);
  return Bad;
}

static int nests(int n) {
  int Bad = 0;
  static int C[40][25][10];
  memset(C, 0, sizeof(C));
#pragma accx spread(C)
  {
#pragma accx distribute
#pragma omp target teams distribute parallel for collapse(3)
    for (int I = 1; I < n; I += 2)
      for (int J = 24; J >= 0; --J)
        for (int K = 0; K < 10; ++K)
          C[I][J][K] += I * 1000 + J * 10 + K;
#pragma accx distribute
#pragma acc parallel loop present(C)
    for (int I = 0; I < n; ++I) {
#pragma acc loop vector
      for (int J = 0; J < 25; ++J)
        C[I][J][0] += 1;
    }
#pragma accx distribute
#pragma acc kernels loop independent collapse(2) present(C) async(1)
    for (int I = 0; I < n; ++I)
      for (int J = 0; J < 25; ++J)
        C[I][J][1] += 2;
#pragma acc wait
  }
  for (int I = 0; I < 40; ++I)
    for (int J = 0; J < 25; ++J)
      for (int K = 0; K < 10; ++K)
        Bad += C[I][J][K] != (I >= n ? 0
                                     : (I % 2 ? I * 1000 + J * 10 + K : 0) +
                                           (K < 2 ? K + 1 : 0));
  return Bad;
}

int main(void) {
  const int Bad = heads(17000, 3) + heads(1, 2) + heads(5, 1) + heads(0, 1);
  // CHECK: heads 0
  printf("heads %d\n", Bad);
  // CHECK: pointers 0
  printf("pointers %d\n", pointers(16001) + pointers(1) + pointers(0));
  // CHECK: nests 0
  printf("nests %d\n", nests(37) + nests(40) + nests(2));
  // CHECK-NOT: not distributed
  return 0;
}
