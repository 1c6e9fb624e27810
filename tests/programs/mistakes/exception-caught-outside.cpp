// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exception of a function that a kernel calls, caught outside.
// RUN: %accxcxx -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <cstdio>
#include <stdexcept>
static double inverse(double x) {
  if (x == 0)
    // CHECK: exception-caught-outside.cpp:[[@LINE+1]]:{{.*}}an exception cannot leave code for a device (the construct in line {{[0-9]+}})
    throw std::runtime_error("zero");
  return 1 / x;
}
int main() {
  double b[10] = {0};
  try {
#pragma acc parallel loop copy(b)
    for (int i = 0; i < 10; ++i)
      b[i] = inverse(b[i]);
  } catch (const std::exception &) {
    puts("caught");
  }
  printf("%g\n", b[5]);
}
