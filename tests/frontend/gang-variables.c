// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gang's variables are one for all its iterations, which it runs in order:
// what a gang loop leaves in them is there for the next iteration, and for what
// follows the loop.
//
// RUN: %accxcc -O0 %s -o %t && %run %t | FileCheck %s
// RUN: %accxcc -O2 %s -o %t && %run %t | FileCheck %s
// RUN: %accxcc -O1 -fsyntax-only -Rpass=accx %s 2>&1 | \
// RUN:   FileCheck %s --check-prefix=CHECK-REMARK

#include <stdio.h>

enum { N = 1000, Gangs = 8 };

int main(void) {
  int a[N], b[N], ones[N], sum = 0, wrong = 0;
  for (int i = 0; i < N; ++i)
    ones[i] = 1;

  // Each gang has the same iterations of both loops.
#pragma acc parallel copyout(a[0 : Gangs]) num_gangs(Gangs)
  {
    int x = -1;
    // CHECK-REMARK: gang-variables.c:[[@LINE+1]]:13: remark: each gang runs its iterations in order: what line [[@LINE+3]] writes to 'x' is kept
#pragma acc loop gang(static : 1)
    for (int i = 0; i < Gangs; ++i)
      x = i * 2;
#pragma acc loop gang(static : 1)
    for (int i = 0; i < Gangs; ++i)
      a[i] = x;
  }
  for (int i = 0; i < Gangs; ++i)
    wrong += a[i] != 2 * i;
  // CHECK: between loops: 0
  printf("between loops: %d\n", wrong);

  // What a gang adds up.
#pragma acc parallel copyin(ones) copy(sum)
  {
    int part = 0;
#pragma acc loop gang
    for (int i = 0; i < N; ++i)
      part += ones[i];
#pragma acc atomic
    sum += part;
  }
  // CHECK: sum: 1000
  printf("sum: %d\n", sum);

  // An array of the gang, and a loop inside.
#pragma acc parallel copyin(ones) copyout(b) num_gangs(Gangs)
  {
    int line[16], sums = 0;
#pragma acc loop gang
    for (int i = 0; i < N; ++i) {
      for (int k = 0; k < 16; ++k)
        line[k] = i + k;
      sums = 0;
#pragma acc loop vector reduction(+ : sums)
      for (int k = 0; k < 16; ++k)
        sums += line[k] * ones[k];
      b[i] = sums;
    }
  }
  wrong = 0;
  for (int i = 0; i < N; ++i)
    wrong += b[i] != 16 * i + 120;
  // CHECK: array: 0
  printf("array: %d\n", wrong);
  return 0;
}
