// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures of pointers to structures: attached pointers survive updates in
// both directions, and no device pointer ever reaches the host.
//
// RUN: %clangxx -g %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused %t | FileCheck %s
// RUN: %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async,delay=50 %t | FileCheck %s

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

struct Leaf {
  int Count;
  double *Values;
};
struct Tree {
  long Id;
  Leaf *Leaves;
  Leaf Inline;
  Tree *Next;
};

static int Wrong = 0;
#define EXPECT(Condition)                                                      \
  do {                                                                         \
    if (!(Condition)) {                                                        \
      std::printf("line %d: %s\n", __LINE__, #Condition);                      \
      ++Wrong;                                                                 \
    }                                                                          \
  } while (0)

int main() {
  constexpr int N = 100;
  double A[N], B[N], C[N];
  for (int I = 0; I < N; ++I)
    A[I] = B[I] = C[I] = I;
  Leaf Leaves[2] = {{N, A}, {N, B}};
  Tree Second = {2, nullptr, {0, nullptr}, nullptr};
  Tree T = {1, Leaves, {N, C}, &Second};
  const Tree Before = T;
  const Leaf LeavesBefore[2] = {Leaves[0], Leaves[1]};
  auto HostIntact = [&] {
    EXPECT(T.Leaves == Before.Leaves);
    EXPECT(T.Next == Before.Next);
    EXPECT(T.Inline.Values == Before.Inline.Values);
    EXPECT(Leaves[0].Values == LeavesBefore[0].Values);
    EXPECT(Leaves[1].Values == LeavesBefore[1].Values);
  };

#pragma omp target enter data map(to : T)
#pragma omp target enter data map(to : T.Leaves[0 : 2])
#pragma omp target enter data map(to : T.Leaves[0].Values[0 : N])
#pragma omp target enter data map(to : T.Leaves[1].Values[0 : N])
#pragma omp target enter data map(to : T.Inline.Values[0 : N])
#pragma omp target enter data map(to : T.Next[0 : 1])

#pragma omp target map(alloc : T)
  {
    T.Id += 10;
    T.Next->Id += 20;
    for (int I = 0; I < N; ++I) {
      T.Leaves[0].Values[I] += 1;
      T.Leaves[1].Values[I] += 2;
      T.Inline.Values[I] += 3;
    }
  }

  // The structure comes back without its device pointers.
#pragma omp target update from(T)
#pragma omp target update from(Leaves)
  HostIntact();
  EXPECT(T.Id == 11);
  EXPECT(T.Inline.Count == N);

  // And goes there without the host's: the device can still follow them.
  T.Id = 50;
  Leaves[1].Count = 7;
#pragma omp target update to(T)
#pragma omp target update to(Leaves)
  int Seen = 0, SeenCount = 0;
#pragma omp target map(alloc : T) map(from : Seen, SeenCount)
  {
    Seen = static_cast<int>(T.Id);
    SeenCount = T.Leaves[1].Count;
    T.Next->Id += 1;
    for (int I = 0; I < N; ++I) {
      T.Leaves[0].Values[I] += 1;
      T.Leaves[1].Values[I] += 2;
      T.Inline.Values[I] += 3;
    }
  }
  EXPECT(Seen == 50);
  EXPECT(SeenCount == 7);

  // Always-copies of the structure in a region keep them, too.
#pragma omp target map(always, tofrom : T)
  T.Leaves[0].Values[0] += 100;
  HostIntact();
#pragma omp target map(alloc : T)
  T.Leaves[0].Values[1] += 100;

#pragma omp target exit data map(from : T.Next[0 : 1])
#pragma omp target exit data map(from : T.Inline.Values[0 : N])
#pragma omp target exit data map(from : T.Leaves[1].Values[0 : N])
#pragma omp target exit data map(from : T.Leaves[0].Values[0 : N])
#pragma omp target exit data map(from : T.Leaves[0 : 2])
#pragma omp target exit data map(from : T)
  HostIntact();
  EXPECT(Second.Id == 23);
  for (int I = 0; I < N; ++I) {
    EXPECT(A[I] == I + 2 + (I < 2 ? 100 : 0));
    EXPECT(B[I] == I + 4);
    EXPECT(C[I] == I + 6);
  }

  // One construct for structure and array, repeatedly, with other structures
  // at the same place.
  for (int Round = 0; Round < 20; ++Round) {
    Leaf L = {N, Round % 2 ? A : B};
    double *Expected = L.Values;
    const double First = L.Values[0];
#pragma omp target map(tofrom : L, L.Values[0 : N])
    {
      L.Count = Round;
      L.Values[0] += 1;
    }
    EXPECT(L.Values == Expected);
    EXPECT(L.Count == Round);
    EXPECT(L.Values[0] == First + 1);
  }

  // The pointer is aimed elsewhere on the host while attached: later regions
  // attach it anew.
  Leaf Moving = {N, A};
#pragma omp target enter data map(to : Moving)
  for (double *Target : {A, B, C, A}) {
    Moving.Values = Target;
    const double First = Target[0];
#pragma omp target map(alloc : Moving) map(tofrom : Moving.Values[0 : N])
    Moving.Values[0] += 1;
    EXPECT(Target[0] == First + 1);
    EXPECT(Moving.Values == Target);
  }
#pragma omp target exit data map(from : Moving)
  EXPECT(Moving.Values == A);

  std::printf("%d wrong\n", Wrong);
  return 0;
}

// CHECK: {{^}}0 wrong
