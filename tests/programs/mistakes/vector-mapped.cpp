// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A std::vector whose object alone is copied.
// RUN: %accxcxx -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <cstdio>
#include <vector>
int main() {
  std::vector<double> v(1000, 1.0);
// CHECK: vector-mapped.cpp:[[@LINE+1]]:{{.*}}type 'std::vector<double>' is not trivially copyable
#pragma acc parallel loop copy(v)
  for (int i = 0; i < 1000; ++i)
    v[i] *= 2;
  printf("%g\n", v[5]);
}
