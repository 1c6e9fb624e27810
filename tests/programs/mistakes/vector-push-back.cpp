// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A std::vector that grows in a kernel.
// RUN: %accxcxx -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <cstdio>
#include <vector>
int main() {
  std::vector<double> v;
#pragma acc parallel loop
  for (int i = 0; i < 10; ++i)
    // CHECK: vector-push-back.cpp:[[@LINE+1]]:{{.*}}type 'std::vector<double>' is not trivially copyable
    v.push_back(i);
  printf("%zu\n", v.size());
}
