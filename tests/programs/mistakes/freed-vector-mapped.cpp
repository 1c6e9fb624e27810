// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector moves its elements while they are mapped.
// RUN: %accxcxx --accx-check %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s

// clang-format off
#include <cstdio>
#include <vector>
int main() {
  std::vector<double> v(1000);
  double *p = v.data();
// CHECK: accx: warning: 'p[0:1000]' is freed on the host and still on device 0, which freed-vector-mapped.cpp:[[@LINE+1]]:13 has put there: 'exit data' comes first
#pragma acc enter data copyin(p[0:1000])
  v.push_back(1);
  std::printf("%zu\n", v.size());
}
