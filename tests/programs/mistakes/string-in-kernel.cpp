// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A std::string whose object alone is copied.
// RUN: %accxcxx -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <cstdio>
#include <string>
int main() {
  std::string s = "a text that is too long for the object itself";
  int n[10];
#pragma acc parallel loop copyout(n)
  for (int i = 0; i < 10; ++i)
    // CHECK: string-in-kernel.cpp:[[@LINE+1]]:{{.*}}type 'std::string' {{.*}}is not trivially copyable
    n[i] = s[i];
  printf("%d\n", n[5]);
}
