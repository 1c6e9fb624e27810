// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants in compute regions: tables of the file and of functions, inside and
// outside of a region, of pointers and with a clause that would copy them back,
// and variables of functions that keep their values, each in device code, too.
//
// RUN: %accxcc -O0 -w %s -o %t0 && %run %t0 | FileCheck %s
// RUN: %accxcc -O2 -w %s -o %t2 && %run %t2 | FileCheck %s
// RUN: %accxcxx -x c++ -O2 -w %s -o %txx && %run %txx | FileCheck %s
// CHECK: of the file 32
// CHECK: of the function 32
// CHECK: with a clause 32
// CHECK: of a data construct 32
// CHECK: of pointers 8
// CHECK: of OpenMP 32
// CHECK: in the loop 16
// CHECK: in an inner loop 48
// CHECK: in a routine 16
// CHECK: kept 68

#include <stdio.h>

static const int table[3] = {3, 4, 5};
static const int more[3] = {3, 4, 5};
static const char *const names[2] = {"one", "two"};

#pragma acc routine seq
static int look(int i) {
  static const int powers[4] = {1, 2, 2, 3};
  return powers[i & 3];
}

int main(void) {
  static const int local[3] = {3, 4, 5};
  static const int other[3] = {3, 4, 5};
  int s = 1;
#pragma acc parallel loop reduction(+ : s)
  for (int i = 0; i < 8; i++)
    s += table[i % 3];
  printf("of the file %d\n", s);
  s = 1;
#pragma acc parallel loop reduction(+ : s)
  for (int i = 0; i < 8; i++)
    s += local[i % 3];
  printf("of the function %d\n", s);
  s = 1;
#pragma acc parallel loop copy(more) reduction(+ : s)
  for (int i = 0; i < 8; i++)
    s += more[i % 3];
  printf("with a clause %d\n", s);
  s = 1;
#pragma acc data copy(other)
#pragma acc parallel loop reduction(+ : s)
  for (int i = 0; i < 8; i++)
    s += other[i % 3];
  printf("of a data construct %d\n", s);
  s = 0;
#pragma acc parallel loop reduction(+ : s)
  for (int i = 0; i < 8; i++)
    s += names[i % 2] != 0;
  printf("of pointers %d\n", s);
  s = 1;
#pragma omp target teams distribute parallel for reduction(+ : s) map(s)
  for (int i = 0; i < 8; i++)
    s += table[i % 3];
  printf("of OpenMP %d\n", s);
  s = 0;
#pragma acc parallel loop reduction(+ : s)
  for (int i = 0; i < 8; i++) {
    static const int weights[4] = {1, 2, 2, 3};
    s += weights[i & 3];
  }
  printf("in the loop %d\n", s);
  s = 0;
#pragma acc parallel loop gang reduction(+ : s)
  for (int i = 0; i < 8; i++) {
#pragma acc loop vector reduction(+ : s)
    for (int j = 0; j < 3; j++) {
      static const double factors[3] = {1, 2, 3};
      s += factors[j];
    }
  }
  printf("in an inner loop %d\n", s);
  s = 0;
#pragma acc parallel loop reduction(+ : s)
  for (int i = 0; i < 8; i++)
    s += look(i);
  printf("in a routine %d\n", s);
  s = 0;
#pragma acc serial copy(s)
  for (int i = 0; i < 8; i++) {
    static int next = 5;
    s += next++;
  }
  printf("kept %d\n", s);
}
