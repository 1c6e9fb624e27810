// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// routine with the name of several functions, of the unit and of a header.
//
// RUN: %accxcxx -Wall %s -o %t && %run %t | FileCheck %s
// RUN: not %accxcxx -DBAD -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=BAD
// CHECK: 2 2.5 1.5
// BAD: error: use of undeclared identifier 'Twise'

#include <cmath>
#include <cstdio>
using std::fmin;

#pragma acc routine(fmin) seq

int twice(int X);
double twice(double X);
#pragma acc routine(twice) seq
int twice(int X) { return 2 * X; }
double twice(double X) { return 2 * X; }

#ifdef BAD
#pragma acc routine(Twise) seq
#endif

int main() {
  int I = 0;
  double D = 0, M = 2;
#pragma acc parallel loop copy(I, D, M)
  for (int K = 0; K < 1; ++K) {
    I = twice(1);
    D = twice(1.25);
    M = fmin(M, 1.5);
  }
  std::printf("%d %g %g\n", I, D, M);
}
