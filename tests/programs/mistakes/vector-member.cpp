// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A structure is copied that has a vector.
// RUN: %accxcxx -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <cstdio>
#include <vector>
struct Grid { std::vector<double> v; int n; };
int main() {
  Grid g{std::vector<double>(1000, 1.0), 1000};
// CHECK: vector-member.cpp:[[@LINE+1]]:{{.*}}type 'Grid' is not trivially copyable
#pragma acc parallel loop copy(g)
  for (int i = 0; i < 1000; ++i) g.v[i] *= 2;
  std::printf("%g\n", g.v[5]);
}
