// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exception thrown in a kernel.
// RUN: %accxcxx -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <cstdio>
#include <stdexcept>
int main() {
  double b[10] = {0};
#pragma acc parallel loop copy(b)
  for (int i = 0; i < 10; ++i) {
    if (b[i] == 0)
      // CHECK: exception-thrown.cpp:[[@LINE+1]]:{{.*}}an exception cannot leave code for a device
      throw std::runtime_error("zero");
    b[i] = 1 / b[i];
  }
  printf("%g\n", b[5]);
}
