// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops behind `accx distribute`: heads of all forms, in OpenMP and in OpenACC,
// give what the same loops give without it. The calls around them get the
// devices, the schedule and the number of iterations; slots begin as the
// operator's identity, and what is in them afterwards is combined.
//
// RUN: %accxcc -O0 %s -o %t
// RUN: %t | FileCheck %s
// RUN: %accxcc -O2 %s -o %t
// RUN: %t | FileCheck %s
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t | FileCheck %s
// RUN: %plainclang -fopenmp -DOMP -fplugin=%accx_plugin %s -o %t -lm
// RUN: %t | FileCheck %s --check-prefix=CHECK
// RUN: %accxcc -O1 -Rpass=accx -Rpass-missed=accx -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=REMARK
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long Iterations;
static int NumDevices, Devices[4], Fill, NumSlots;
static unsigned Schedule;
static struct {
  char *Memory;
  unsigned long Bytes;
} Slots[8];

int __accx_distribute_begin(const int *D, int N, unsigned S, long Count,
                            const char *Source) {
  NumDevices = N;
  for (int I = 0; I < N; ++I)
    Devices[I] = D[I];
  Schedule = S;
  Iterations = Count;
  NumSlots = 0;
  return Count ? 3 : 1;
}
void *__accx_distribute_slots(const void *V, unsigned long Bytes,
                              const char *Name) {
  Slots[NumSlots].Memory = malloc(3 * Bytes);
  Slots[NumSlots].Bytes = Bytes;
  for (int P = 0; P < 3; ++P)
    memcpy(Slots[NumSlots].Memory + P * Bytes, V, Bytes);
  return Slots[NumSlots++].Memory;
}
/// Parts that give 2 and 5 to each variable of int, or nothing.
int __accx_distribute_end(void) {
  if (Fill)
    for (int S = 0; S < NumSlots; ++S)
      for (unsigned long E = 0; E < Slots[S].Bytes / sizeof(int); ++E) {
        ((int *)Slots[S].Memory)[E] = 2;
        ((int *)(Slots[S].Memory + Slots[S].Bytes))[E] = 5;
      }
  return 2;
}

#define RUN(Head, What)                                                        \
  {                                                                            \
    long A = 0, B = 0;                                                         \
    Head A += 1 + (What);                                                      \
    _Pragma("accx distribute")                                                 \
        _Pragma("omp target teams distribute parallel for reduction(+:B)")     \
            Head B += 1 + (What);                                              \
    Bad += A != B || NumDevices != -1;                                         \
    _Pragma("accx distribute")                                                 \
        _Pragma("omp target parallel for simd reduction(-:B)") Head B -=       \
        1 + (What);                                                            \
    Bad += B != 0;                                                             \
  }

static double Buffer[40];

static int heads(int n, int st) {
  int Bad = 0;
  RUN(for (int i = 3; i < n; ++i), i)
  RUN(for (int i = n; i >= -2; i -= 3), i)
  RUN(for (int i = 0; n > i; i = st + i), i)
  RUN(for (int i = n; 1 <= i; i = i - st), i)
  RUN(for (unsigned i = 4000000000u; i < 4000000000u + n; i += st), i)
  RUN(for (int i = -2147483647 - 1; i <= -2147483640; ++i), i)
  RUN(for (long i = 2147483647l * 5 + n; i > 2147483647l * 5; i--), i)
  RUN(for (size_t i = 0; i != (size_t)n; i++), i)
  RUN(for (unsigned char i = 3; i < 200; i += 50), i)
  RUN(for (char i = 'a'; i <= 'z'; i += st), i)
  RUN(for (int i = n; i < 0; ++i), i)
  return Bad;
}

static int pointers(int n) {
  int Bad = 0;
#pragma accx distribute
#pragma omp target teams distribute parallel for map(from : Buffer)
  for (double *P = Buffer; P < Buffer + 40; P += 2) {
    P[0] = 3;
    P[1] = 4;
  }
  Bad += Iterations != 20;
  double *P, *Q = Buffer;
#pragma accx distribute
#pragma omp target teams loop map(tofrom : Q[0 : 40])
  for (P = Q + n; P >= Q; --P)
    *P += 1;
  Bad += Iterations != n + 1;
  for (int I = 0; I < 40; ++I)
    Bad += Buffer[I] != (I % 2 ? 4 : 3) + (I <= n);
  return Bad;
}

static int clauses(int n) {
  int Bad = 0, Device = 0;
  static int A[8][6][5];
  int(*C)[6][5] = A;
#pragma accx distribute devices(2, Device) schedule(block)
#pragma omp target teams distribute parallel for collapse(3) default(none)     \
    map(tofrom : C[0 : 8]) shared(C) firstprivate(n) nowait
  for (int I = 1; I < n; I += 2) {
    for (int J = 0; J < 6; ++J)
      for (int K = 0; K < 5; ++K)
        C[I][J][K] = I * 100 + J * 10 + K;
  }
#pragma omp taskwait
  Bad += Iterations != (n - 1 + 1) / 2 || Schedule != 1 || NumDevices != 2 ||
         Devices[0] != 2 || Devices[1] != 0;
  for (int I = 0; I < 8; ++I)
    for (int J = 0; J < 6; ++J)
      for (int K = 0; K < 5; ++K)
        Bad += A[I][J][K] != (I % 2 && I < n ? I * 100 + J * 10 + K : 0);
#pragma accx distribute devices(all) schedule(owner)
#pragma omp target teams distribute depend(inout : A) if (n < 0)
  for (int I = 0; I < 8; ++I)
#pragma omp parallel for
    for (int J = 0; J < 6; ++J)
      A[I][J][0] = -1;
  Bad += Iterations != 8 || Schedule != 0 || NumDevices != -1;
  for (int I = 0; I < 8; ++I)
    for (int J = 0; J < 6; ++J)
      Bad += A[I][J][0] != -1;
  // Bounds and steps are evaluated once.
  int Calls = 0, Sum = 0;
#pragma accx distribute
#pragma omp target teams distribute parallel for reduction(+ : Sum)
  for (int I = Calls++; I < (++Calls, n); I += Calls++)
    Sum += I;
  Bad += Calls != 3 || Sum != 0 + 2 + 4 + 6;
  return Bad;
}

static int slots(void) {
  int Bad = 0;
  int Sum = 10, Product = 3, Least = 4, Most = 4, Both = 1, One = 0, Bits = 7,
      Or = 8, Xor = 1, List[4] = {1, 2, 3, 4}, Square[2][2] = {{1, 1}, {1, 1}};
  for (Fill = 0; Fill < 2; ++Fill) {
#pragma accx distribute
#pragma omp target teams distribute parallel for reduction(+ : Sum)            \
    reduction(* : Product) reduction(min : Least) reduction(max : Most)        \
    reduction(&& : Both)
    for (int I = 0; I < 4; ++I) {
      Sum += I;
      Product *= 1;
      Least = Least < I + 3 ? Least : I + 3;
      Most = Most > I ? Most : I;
      Both = Both && 1;
    }
#pragma accx distribute
#pragma omp target teams distribute parallel for reduction(|| : One)           \
    reduction(& : Bits) reduction(| : Or) reduction(^ : Xor)                   \
    reduction(+ : List[1 : 2], Square)
    for (int I = 0; I < 4; ++I) {
      One = One || 0;
      Bits &= 7;
      Or |= 0;
      Xor ^= 4;
      List[1] += 1;
      Square[1][0] += 2;
    }
    Bad += Sum != (Fill ? 16 + 6 + 7 : 16);
    Bad += Product != (Fill ? 30 : 3) || Least != (Fill ? 2 : 3);
    Bad += Most != (Fill ? 5 : 4) || Both != 1 || One != Fill;
    Bad += Bits != (Fill ? (7 & 2 & 5) : 7) || Or != (Fill ? 15 : 8) ||
           Xor != (Fill ? (1 ^ 2 ^ 5) : 1);
    Bad += List[0] != 1 || List[1] != (Fill ? 10 + 7 : 6) ||
           List[2] != (Fill ? 10 : 3) || List[3] != 4;
    Bad += Square[0][0] != (Fill ? 8 : 1) || Square[1][0] != (Fill ? 24 : 9);
  }
  Fill = 0;
  return Bad;
}

// clang-format off
#ifndef OMP
static int openacc(int n) {
  int Bad = 0;
  static float A[50][20];
  float Sum = 0, S = 0;
#pragma acc data copy(A)
  {
// REMARK: :[[#@LINE+1]]:14: remark: 'distribute' splits the loop among the devices 0, 1 by the owners of what it writes, and combines 'Sum' with +
#pragma accx distribute devices(0, 1)
#pragma acc parallel loop gang reduction(+ : Sum) copy(Sum) async(2)
    for (int I = 1; I < n; I++) {
#pragma acc loop vector
      for (int J = 0; J < 20; J++)
        A[I][J] = I + J;
      Sum += I;
    }
#pragma acc wait
    Bad += Schedule != 2 || Iterations != n - 1;
// REMARK: :[[#@LINE+1]]:14: remark: 'distribute' splits the loop among all devices in even blocks
#pragma accx distribute schedule(block)
#pragma acc kernels loop independent collapse(2)
    for (int I = n - 1; I > 0; --I)
      for (int J = 0; J < 20; J++)
        A[I][J] += 1;
    Bad += Schedule != 3 || NumDevices != -1;
#pragma accx distribute
#pragma acc parallel loop tile(4, 4) default(none)
    for (int I = 0; I < 50; ++I)
      for (int J = 0; J < 20; J++)
        A[I][J] *= 2;
#pragma accx distribute
#pragma acc kernels loop
    for (int I = 0; I < 50; ++I)
      A[I][0] += 1;
    Bad += NumDevices != -1;
// REMARK: :[[#@LINE+1]]:14: remark: the loop stays whole on one device: it did not become one parallel loop
#pragma accx distribute
#pragma acc kernels loop
    for (int I = 1; I < 50; ++I)
      A[I][1] += A[I - 1][1];
    Bad += Iterations != 0;
// REMARK: :[[#@LINE+1]]:14: remark: the loop stays whole on one device: its iterations run in order
#pragma accx distribute
#pragma acc serial loop
    for (int I = 1; I < 50; ++I)
      A[I][2] += A[I - 1][2];
    Bad += Iterations != 0;
  }
  for (int I = 0; I < 50; ++I)
    for (int J = 0; J < 20; J++) {
      const float V = I && I < n ? 2 * (I + J + 1) : 0;
      if (J == 0 || J > 2)
        Bad += A[I][J] != V + (J == 0);
      S += I && I < n && J == 0 ? I : 0;
    }
  return Bad + (S != Sum);
}
#endif

static int whole(int n) {
  int Bad = 0, Last = 0, Sum = 0;
  static int A[30];
// REMARK: :[[#@LINE+1]]:14: remark: the loop stays whole on one device: of 'lastprivate'
#pragma accx distribute
#pragma omp target teams distribute parallel for lastprivate(Last) map(A, Last)
  for (int I = 0; I < 30; ++I)
    A[I] = Last = I;
  Bad += Last != 29 || Iterations != 0;
// REMARK: :[[#@LINE+1]]:14: remark: the loop stays whole on one device: 'simd' alone may
#pragma accx distribute
#pragma omp target simd safelen(4)
  for (int I = 4; I < 30; ++I)
    A[I] += A[I - 4];
  struct Pair {
    int A, B;
  } Both = {0, 0};
#pragma omp declare reduction(+ : struct Pair : omp_out.A += omp_in.A,         \
                                  omp_out.B += omp_in.B)
// REMARK: :[[#@LINE+1]]:14: remark: the loop stays whole on one device: 'Both' is reduced, and is of no type
#pragma accx distribute
#pragma omp target teams distribute parallel for reduction(+ : Both)
  for (int I = 0; I < n; ++I)
    Both.A += I, Both.B += 2;
  Bad += Both.A != n * (n - 1) / 2 || Both.B != 2 * n || Iterations != 0;
  return Bad + Sum;
}

int main(void) {
  // CHECK: heads 0
  printf("heads %d\n", heads(8, 2) + heads(1, 1) + heads(37, 5));
  // CHECK: pointers 0
  printf("pointers %d\n", pointers(9));
  // CHECK: clauses 0
  printf("clauses %d\n", clauses(7));
  // CHECK: slots 0
  printf("slots %d\n", slots());
  // CHECK: whole 0
  printf("whole %d\n", whole(9));
#ifndef OMP
  printf("openacc %d\n", openacc(41));
#else
  printf("openacc 0\n");
#endif
  // CHECK: openacc 0
  return 0;
}
