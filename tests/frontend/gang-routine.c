// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gang routine runs all of its loop wherever it is called: in regions of one
// gang and of several, through another routine, in serial and kernels
// constructs, in regions that the host runs, and in host code.
//
// RUN: %accxcc -O0 -Wall %s -o %t0 && %run %t0 | FileCheck %s
// RUN: %accxcc -O1 -Wall %s -o %t1 && %run %t1 | FileCheck %s
// RUN: %accxcc -O2 -g -Wall %s -o %t2 && %run %t2 | FileCheck %s
// RUN: env OMP_NUM_TEAMS=3 OMP_NUM_THREADS=2 %t2 | FileCheck %s
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t2 | FileCheck %s
//
// CHECK-NOT: {{ [1-9]}}
// CHECK: host chunks 0

#include <stdio.h>
#include <string.h>
#pragma acc routine gang
void add(int *a, int n) {
#pragma acc loop gang worker vector
  for (int i = 0; i < n; i++)
    a[i] += i;
}
#pragma acc routine gang
void addg(int *a, int n) {
#pragma acc loop gang
  for (int i = 0; i < n; i += 10) {
#pragma acc loop vector
    for (int j = i; j < i + 10; j++)
      a[j] += j;
  }
}
#pragma acc routine gang
void addc(int *a, long n) {
#pragma acc loop gang(static : 8)
  for (long i = n - 1; i >= 0; --i)
    a[i] += i;
}
#pragma acc routine gang
void outer(int *a, int n) { add(a, n); }
static void check(const char *w, int *a) {
  int bad = 0;
  for (int i = 0; i < 1000; i++)
    bad += a[i] != i;
  memset(a, 0, 4000);
  printf("%s %d\n", w, bad);
}
int main(int c, char **v) {
  int a[1000] = {0};
#pragma acc parallel copy(a)
  {
    add(a, 1000);
  }
  check("parallel", a);
#pragma acc parallel copy(a) num_gangs(1)
  {
    add(a, 1000);
  }
  check("one", a);
#pragma acc parallel copy(a) num_gangs(7) vector_length(32)
  {
    outer(a, 1000);
  }
  check("outer", a);
#pragma acc parallel copy(a)
  {
    addg(a, 1000);
  }
  check("addg", a);
#pragma acc parallel copy(a) num_gangs(3)
  {
    addg(a, 1000);
  }
  check("addg of three", a);
#pragma acc serial copy(a)
  {
    add(a, 1000);
  }
  check("serial", a);
#pragma acc serial copy(a)
  {
    addg(a, 1000);
  }
  check("serial g", a);
#pragma acc kernels copy(a)
  {
    add(a, 1000);
  }
  check("kernels", a);
#pragma acc parallel copy(a) if (c > 1)
  {
    add(a, 1000);
  }
  check("if 0", a);
#pragma acc parallel copy(a) self
  {
    addg(a, 1000);
  }
  check("self", a);
#pragma acc serial copy(a) self
  {
    addg(a, 1000);
  }
  check("serial self", a);
  add(a, 1000);
  check("host", a);
  addg(a, 1000);
  check("host g", a);
#pragma acc parallel copy(a) num_gangs(3)
  {
    addc(a, 1000);
  }
  check("chunks", a);
#pragma acc serial copy(a)
  {
    addc(a, 1000);
  }
  check("serial chunks", a);
  addc(a, 1000);
  check("host chunks", a);
}
