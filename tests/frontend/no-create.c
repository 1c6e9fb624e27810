// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// no_create makes nothing on the device: what is there is used, of the rest the
// host's address, as pointer, array, member and section that does not begin at
// 0. What is there is found by its first byte, attached, and held.
//
// RUN: %accxcc -O0 -Wall %s -o %t0 && %run %t0 | FileCheck %s
// RUN: %accxcc -O2 -Wall %s -o %t2 && %run %t2 | FileCheck %s
// RUN: env ACCX_DIRECTORY=fused %t2 | FileCheck %s
// CHECK-NOT: 0
// CHECK: end

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

struct vector {
  int n;
  double *v;
};

static void expect(const char *what, int holds) {
  if (!holds)
    printf("%s: 0\n", what);
}

static void absent(double *p) {
  double a[10];
  struct vector m = {10, p};
  void *host = a, *got[4];
#pragma acc parallel no_create(p[0 : 10], a) copyout(got)
  {
    got[0] = p;
    got[1] = a;
  }
  expect("pointer", got[0] == p);
  expect("array", got[1] == host);
#pragma acc parallel no_create(p[2 : 3], a[4 : 2]) copyout(got)
  {
    got[0] = p;
    got[1] = a;
  }
  expect("section of pointer", got[0] == p);
  expect("section of array", got[1] == host);
#pragma acc parallel copyin(m) no_create(m.v[0 : 10]) copyout(got)
  got[0] = m.v;
  expect("member", got[0] == p);
#pragma acc data no_create(a, p[0 : 10])
  {
    expect("data", !acc_is_present(a, sizeof a) && !acc_is_present(p, 80));
#pragma acc parallel copyout(got)
    got[0] = a;
    expect("array in data", got[0] == host);
  }
  expect("nothing left", !acc_is_present(a, sizeof a));
}

static void present(double *p) {
  double a[10], s = 0;
  struct vector m = {10, p};
  for (int i = 0; i < 10; ++i)
    p[i] = a[i] = i;
#pragma acc data copyin(p[2 : 5], a)
  {
#pragma acc parallel no_create(p[2 : 3], a) reduction(+ : s)
    s += p[3] + a[4];
    expect("sum", s == 7);
#pragma acc data no_create(a)
    {
#pragma acc exit data delete (a)finalize
      expect("held", acc_is_present(a, sizeof a));
#pragma acc parallel reduction(+ : s)
      s += a[5];
    }
    expect("in data", s == 12);
  }
#pragma acc data copyin(p[0 : 10])
#pragma acc parallel copyin(m) no_create(m.v[0 : 10]) reduction(+ : s)
  s += m.v[8];
  expect("attached", s == 20);
}

static void scalars(void) {
  int x = 3, y = 0;
#pragma acc parallel no_create(x) copyout(y)
  y = x;
  expect("scalar", y == 3);
#pragma acc data copy(x)
  {
#pragma acc parallel no_create(x)
    x = 5;
  }
  expect("scalar of data", x == 5);
}

int main(void) {
  double *p = malloc(80);
  absent(p);
  present(p);
  scalars();
  free(p);
  puts("end");
}
