// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bind to a function that comes later in the unit, of a definition and of a
// named routine whose body is in front of the directive. What is bound to is a
// routine without a directive of its own: its loop stands in one.
//
// RUN: %accxcc -O0 -Wall %s -o %t0 && %run %t0 | FileCheck %s
// RUN: %accxcc -O2 -Wall %s -o %t2 && %run %t2 | FileCheck %s
// RUN: %accxcxx -x c++ -O1 -Wall %s -o %txx && %run %txx | FileCheck %s
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t2 | FileCheck %s --check-prefix=HOST
// CHECK: definition -6 6
// CHECK: named -60 6
// HOST: definition 6 6
// HOST: named 6 6

#include <stdio.h>

#pragma acc routine seq bind(minus)
int sum(const int *a, int n) {
  int s = 0;
#pragma acc loop reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += a[i];
  return s;
}

int named(const int *a, int n) {
  int s = 0;
#pragma acc loop reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += a[i];
  return s;
}
#pragma acc routine(named) seq bind(minus_ten)

int minus(const int *a, int n) {
  int s = 0;
#pragma acc loop reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += -a[i];
  return s;
}

int minus_ten(const int *a, int n) {
  int s = 0;
#pragma acc loop reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += -10 * a[i];
  return s;
}

int main(void) {
  const int a[3] = {1, 2, 3};
  int r = 0;
#pragma acc serial copyin(a) copyout(r)
  r = sum(a, 3);
  printf("definition %d %d\n", r, sum(a, 3));
#pragma acc serial copyin(a) copyout(r)
  r = named(a, 3);
  printf("named %d %d\n", r, named(a, 3));
}
