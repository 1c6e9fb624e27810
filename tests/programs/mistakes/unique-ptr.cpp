// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A smart pointer in a kernel.
// RUN: %accxcxx -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <cstdio>
#include <memory>
int main() {
  auto p = std::make_unique<double[]>(1000);
#pragma acc parallel loop
// CHECK: unique-ptr.cpp:[[@LINE+1]]:{{.*}}is not trivially copyable and not guaranteed to be mapped correctly
  for (int i = 0; i < 1000; ++i) p[i] = i;
  std::printf("%g\n", p[5]);
}
