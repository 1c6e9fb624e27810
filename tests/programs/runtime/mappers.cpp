// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// User-defined mappers on structures, arrays of structures, and structures in
// structures; nothing stays on the device afterwards.
//
// RUN: %clangxx -g %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %run ACCX_DIRECTORY=fused %t | FileCheck %s
// RUN: %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async %t | FileCheck %s

#include <cstdio>
#include <cstdlib>
#include <omp.h>

struct Vector {
  int Length;
  double *Data;
};
#pragma omp declare mapper(Vector V) map(V, V.Data[0 : V.Length])

struct Pair {
  Vector First;
  Vector Second;
  int Tag;
};
#pragma omp declare mapper(Pair P) map(P.Tag)                                  \
    map(mapper(default), tofrom : P.First, P.Second)

#pragma omp declare mapper(OnlyLength : Vector V) map(V.Length)

struct Table {
  int Length;
  Vector *Rows;
};
#pragma omp declare mapper(Table T) map(T, T.Rows[0 : T.Length])

struct Flexible {
  int Length;
  double Data[];
};
#pragma omp declare mapper(Flexible F) map(F, F.Data[0 : F.Length])

static int Wrong = 0;
static void expect(bool Condition, int Line) {
  if (!Condition)
    std::printf("line %d\n", Line), ++Wrong;
}
#define EXPECT(C) expect(C, __LINE__)

static Vector makeVector(int Length) {
  Vector V = {Length, static_cast<double *>(malloc(Length * sizeof(double)))};
  for (int I = 0; I < Length; ++I)
    V.Data[I] = I;
  return V;
}

/// Two tables of two rows of two elements, with bytes between elements and rows
/// that nobody maps.
static void checkTables() {
  struct {
    Table Tables[2];
    double Elements[8];
    double Unmapped[64];
    Vector Rows[4];
  } M = {};
  for (int I = 0; I < 4; ++I)
    M.Rows[I] = {2, M.Elements + 2 * I};
  for (int I = 0; I < 2; ++I)
    M.Tables[I] = {2, M.Rows + 2 * I};
  Table *const T = M.Tables;
#pragma omp target enter data map(to : T[0 : 2])
  EXPECT(!omp_target_is_present(M.Unmapped, 0));
#pragma omp target map(alloc : T[0 : 2])
  for (int I = 0; I < 2; ++I)
    for (int J = 0; J < 2; ++J)
      for (int K = 0; K < 2; ++K)
        T[I].Rows[J].Data[K] += 4 * I + 2 * J + K;
  for (double &D : M.Unmapped)
    D = 3;
#pragma omp target exit data map(from : T[0 : 2])
  for (int I = 0; I < 8; ++I)
    EXPECT(M.Elements[I] == I);
  for (double D : M.Unmapped)
    EXPECT(D == 3);
}

static void checkFlexible() {
  auto *F = static_cast<Flexible *>(malloc(sizeof(Flexible) + 80));
  F->Length = 10;
  for (int I = 0; I < 10; ++I)
    F->Data[I] = I;
#pragma omp target map(tofrom : F[0 : 1])
  for (int I = 0; I < F->Length; ++I)
    F->Data[I] += 1;
  for (int I = 0; I < 10; ++I)
    EXPECT(F->Data[I] == I + 1);
  EXPECT(!omp_target_is_present(F->Data + 9, 0));
  free(F);
}

static void checkGone(const Vector &V) {
  EXPECT(!omp_target_is_present(&V, 0));
  EXPECT(!omp_target_is_present(V.Data, 0));
  EXPECT(!omp_target_is_present(V.Data + V.Length - 1, 0));
}

static void checkData(const Vector &V, double Plus) {
  for (int I = 0; I < V.Length; ++I)
    EXPECT(V.Data[I] == I + Plus);
}

int main() {
  Vector V = makeVector(10);
  double *const Data = V.Data;
#pragma omp target map(tofrom : V)
  {
    for (int I = 0; I < V.Length; ++I)
      V.Data[I] += 1;
  }
  EXPECT(V.Data == Data);
  checkData(V, 1);
  checkGone(V);

  // Enter, update, exit through the mapper.
#pragma omp target enter data map(to : V)
  EXPECT(omp_target_is_present(&V, 0));
  EXPECT(omp_target_is_present(V.Data + 9, 0));
#pragma omp target map(alloc : V)
  for (int I = 0; I < V.Length; ++I)
    V.Data[I] += 1;
  checkData(V, 1);
#pragma omp target update from(V)
  checkData(V, 2);
  EXPECT(V.Data == Data);
  for (int I = 0; I < V.Length; ++I)
    V.Data[I] += 1;
#pragma omp target update to(V)
#pragma omp target map(alloc : V)
  for (int I = 0; I < V.Length; ++I)
    V.Data[I] += 1;
#pragma omp target exit data map(from : V)
  checkData(V, 4);
  checkGone(V);

  // An array of structures of different lengths.
  Vector Many[5];
  for (int I = 0; I < 5; ++I)
    Many[I] = makeVector(3 + 4 * I);
#pragma omp target map(tofrom : Many[0 : 5])
  for (int K = 0; K < 5; ++K)
    for (int I = 0; I < Many[K].Length; ++I)
      Many[K].Data[I] += 10 * K;
  for (int K = 0; K < 5; ++K) {
    checkData(Many[K], 10 * K);
    checkGone(Many[K]);
  }
  // A section of it.
#pragma omp target map(tofrom : Many[1 : 3])
  for (int K = 1; K < 4; ++K)
    for (int I = 0; I < Many[K].Length; ++I)
      Many[K].Data[I] += 1;
  for (int K = 0; K < 5; ++K) {
    checkData(Many[K], 10 * K + (K >= 1 && K < 4));
    checkGone(Many[K]);
  }

  // A mapper that uses a mapper.
  Pair P = {makeVector(7), makeVector(8), 1};
#pragma omp target map(tofrom : P)
  {
    P.Tag = 42;
    for (int I = 0; I < P.First.Length; ++I)
      P.First.Data[I] += 5;
    for (int I = 0; I < P.Second.Length; ++I)
      P.Second.Data[I] += 6;
  }
  EXPECT(P.Tag == 42);
  checkData(P.First, 5);
  checkData(P.Second, 6);
  checkGone(P.First);
  checkGone(P.Second);

  // A named mapper.
  Vector Named = makeVector(4);
#pragma omp target map(mapper(OnlyLength), tofrom : Named)
  Named.Length += 3;
  EXPECT(Named.Length == 7);
  EXPECT(!omp_target_is_present(&Named.Length, 0));

  // Nested regions leave the outer one's counts alone.
#pragma omp target data map(tofrom : V)
  {
    for (int Round = 0; Round < 3; ++Round) {
#pragma omp target map(tofrom : V)
      for (int I = 0; I < V.Length; ++I)
        V.Data[I] += 1;
      EXPECT(omp_target_is_present(V.Data, 0));
    }
    checkData(V, 4);
  }
  checkData(V, 7);
  checkGone(V);
  checkTables();
  checkFlexible();
  std::printf("%d wrong\n", Wrong);
  return 0;
}

// CHECK: {{^}}0 wrong
