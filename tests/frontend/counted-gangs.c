// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region of num_gangs(n) runs its code outside of loops n times, on devices
// of any number of cores; its loops are shared among n.
//
// RUN: %accxcc -O0 %s -o %t && %run %t | FileCheck %s
// RUN: %accxcc -O2 %s -o %t && %run %t | FileCheck %s
// RUN: %accxcc -O2 -g %s -o %t && %run %t | FileCheck %s

#include <complex.h>
#include <stdio.h>

#define N 1000

#pragma acc routine gang
static void add(int *a, int n, int *calls) {
#pragma acc atomic
  ++*calls;
#pragma acc loop gang
  for (int i = 0; i < n; ++i)
    a[i] += 1;
}

static int count(int gangs) {
  int n = 0;
#pragma acc parallel num_gangs(gangs) copy(n)
  {
#pragma acc atomic
    n++;
  }
  return n;
}

int main(void) {
  // CHECK: 1 7 256 100000
  printf("%d %d %d %d\n", count(1), count(7), count(256), count(100000));
  // What no device can have is one.
  // CHECK: 1 1
  printf("%d %d\n", count(0), count(-5));

  int sum = 1, product = 1, most = 0;
  double _Complex z = 0;
#pragma acc parallel num_gangs(33) reduction(+ : sum, z) reduction(max : most)
  {
    sum += 2;
    z += 1 + 2 * I;
    most = most < 4 ? 4 : most;
  }
#pragma acc parallel num_gangs(10) reduction(* : product)
  {
    product *= 3;
  }
  // CHECK: 67 59049 4 33 66
  printf("%d %d %d %g %g\n", sum, product, most, creal(z), cimag(z));

  // Every iteration once, however many gangs share them and in what chunks.
  int a[4][N] = {0}, n = 0, wrong = 0;
#pragma acc parallel num_gangs(64) copy(a, n)
  {
#pragma acc atomic
    n++;
#pragma acc loop gang
    for (int i = 0; i < N; ++i)
      a[0][i] += 1;
#pragma acc loop gang(static : 7)
    for (unsigned i = 0; i < N; ++i)
      a[1][i] += 1;
#pragma acc loop gang(static : 100000000)
    for (long i = N - 1; i >= 0; --i)
      a[2][i] += 1;
#pragma acc loop gang
    for (int i = 0; i < 3; ++i)
      a[3][i] += 1;
  }
  for (int i = 0; i < N; ++i)
    wrong += a[0][i] != 1 || a[1][i] != 1 || a[2][i] != 1 || a[3][i] != (i < 3);
  // CHECK: 64 0
  printf("%d %d\n", n, wrong);

  int calls = 0;
#pragma acc parallel num_gangs(50) copy(a, calls)
  {
    add(a[0], N, &calls);
    add(a[1], 20, &calls);
  }
  for (int i = 0; i < N; ++i)
    wrong += a[0][i] != 2 || a[1][i] != 1 + (i < 20);
  // CHECK: 100 0
  printf("%d %d\n", calls, wrong);

  // Nobody counts afterwards.
#pragma acc parallel copy(a)
  add(a[0], N, &calls);
  for (int i = 0; i < N; ++i)
    wrong += a[0][i] != 3;
  // CHECK: 0
  printf("%d\n", wrong);
  return 0;
}
