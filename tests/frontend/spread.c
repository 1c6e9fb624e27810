// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What spread, replicate, enter and exit of them hand to the runtime: address,
// bytes, devices, block, flags, names; behind a statement the same arrays in
// reverse order, however it is left.
//
// RUN: %accx_syntax -Rpass=accx %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %plainclang -O1 -fopenmp -fplugin=%accx_plugin %s -o %t
// RUN: %t | FileCheck %s
// RUN: %plainclang -O0 -fopenmp -fplugin=%accx_plugin -DACC %s -o %t
// RUN: %t | FileCheck %s --check-prefix=ACC
// clang-format off
#include <stdio.h>

static const char *Base;

#ifdef ACC // directives of OpenACC decide how devices are counted
#pragma acc routine seq
int one(void) { return 1; }
#endif

void __accx_spread_enter(const void *Data, unsigned long Bytes,
                         const int *Devices, int Count, unsigned long Block,
                         unsigned Flags, const char *Name,
                         const char *Source) {
  printf("enter %ld+%lu block %lu flags %u devices", (const char *)Data - Base,
         Bytes, Block, Flags);
  for (int D = 0; D < Count; ++D)
    printf(" %d", Devices[D]);
  printf("%s %s %s\n", Count < 0 ? " all" : "", Name, Source);
}
void __accx_spread_exit(const void *Data, unsigned long Bytes, const char *Name,
                        const char *Source) {
  printf("exit %ld+%lu %s %s\n", (const char *)Data - Base, Bytes, Name,
         Source);
}

void __accx_beyond(long First, long Count, long Extent, const char *Where) {
  printf("%s: %ld from %ld on, of %ld\n", Where, Count, First, Extent);
}

struct Grid {
  int N;
  double *A;
  float B[4][6];
};

static int left(double *P, long N, int Early) {
#pragma accx spread(P[0 : N])
  {
    P = 0; // named once, in front
    N = 1;
    if (Early)
      return 7;
  }
  return 0;
}

int main(void) {
  enum { M = 5 };
  static double T[60], C[4][M];
  static struct Grid G, *P = &G;
  int N = 3;
  Base = (const char *)T;
// REMARK: :[[#@LINE+2]]:14: remark: 'spread(T[0:N*M], T[20:N])' becomes calls for the devices 0, N [-Rpass=accx]
// CHECK: enter 0+120 block 16 flags 0 devices 0 3 ;T[0:N*M];{{.*}}spread.c;[[#@LINE+1]];21;; ;{{.*}}spread.c;spread;[[#@LINE+1]];14;;
#pragma accx spread(T[0:N*M], T[20:N]) devices(0, N) block(2)
// CHECK-NEXT: enter 160+24 block 16 flags 0 devices 0 3 ;T[20:N];
  printf("inside\n");
// CHECK-NEXT: inside
// CHECK-NEXT: exit 160+24 ;T[20:N];{{.*}};spread;
// CHECK-NEXT: exit 0+120 ;T[0:N*M];{{.*}};spread;
  Base = (const char *)C;
// REMARK: remark: 'enter spread(C[0:N][:])' becomes calls for all devices
// CHECK-NEXT: enter 0+120 block 24 flags 0 devices all ;C[0:N][:];
#pragma accx enter spread(C[0:N][:]) devices(all) block(N)
// CHECK-NEXT: enter 80+80 block 80 flags 0 devices all ;C[2:2];
#pragma accx enter spread(C[2:2]) block(2)
// CHECK-NEXT: enter 56+16 block 0 flags 0 devices all ;C[1:1][2:2];
#pragma accx enter spread(C[1:1][2:2])
// REMARK: remark: 'exit spread(C[0:N][:], C[3])' becomes calls that take the arrays back, in reverse order
// CHECK-NEXT: exit 120+40 ;C[3];
// CHECK-NEXT: exit 0+120 ;C[0:N][:];
#pragma accx exit spread(C[0:N][:], C[3])
  G.N = 2;
  G.A = T;
  Base = (const char *)T;
// CHECK-NEXT: enter 8+16 block 0 flags 1 devices 1 ;P->A[1:P->N];
#pragma accx replicate(P->A[1:P->N]) devices(1)
// CHECK-NEXT: exit 8+16
  ;
  Base = (const char *)&G.B;
// CHECK-NEXT: enter 0+96 block 4 flags 0 devices all ;G.B;
#pragma accx enter spread(G.B) block(1)
// CHECK-NEXT: enter 24+48 block 0 flags 1 devices all ;G.B[1:2][0:6];
#pragma accx enter replicate(G.B[1:2][0:6])
// CHECK-NEXT: exit 0+96 ;G.B;{{.*}};exit replicate;
#pragma accx exit replicate(G.B)
  Base = (const char *)T;
// CHECK-NEXT: enter 0+24 {{.*}};P[0 : N];
// CHECK-NEXT: exit 0+24
// CHECK-NEXT: left 7
  printf("left %d\n", left(T, 3, 1));
// CHECK-NEXT: enter 0+24
// CHECK-NEXT: exit 0+24
// CHECK-NEXT: left 0
  printf("left %d\n", left(T, 3, 0));
  double V[N][N + 1];
  double(*Q)[N + 1] = V;
  Base = (const char *)V;
// CHECK-NEXT: enter 32+64 {{.*}};Q[1:2][0:N+1];
// CHECK-NEXT: exit 0+96 ;V;
#pragma accx enter spread(Q[1:2][0:N+1])
#pragma accx exit spread(V)
// ACC: enter {{.*}} flags 2 devices
  return 0;
}
