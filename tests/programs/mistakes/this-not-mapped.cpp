// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member function uses what a member points to.
// RUN: %accxcxx --accx-check %s -o %t
// RUN: %run not --crash %t 2>&1 | FileCheck %s

// clang-format off
#include <cstdio>
struct Field {
  double *data; int n;
  Field(int n) : data(new double[n]()), n(n) {}
  void fill() {
#pragma acc parallel loop
// CHECK: this-not-mapped.cpp:[[@LINE+1]]:{{.*}}writes host memory through '*this'
    for (int i = 0; i < n; ++i) data[i] = i;
  }
};
int main() { Field f(1000); f.fill(); std::printf("%g\n", f.data[5]); }
