// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A virtual function of an object that was copied.
// RUN: %accxcxx -Wall -c %s -o %t 2>&1 | FileCheck %s

// clang-format off
#include <cstdio>
struct Shape { virtual double area() const { return 0; } };
struct Square : Shape { double s = 2; double area() const override { return s * s; } };
int main() {
  Square q;
  const Shape *p = &q;
  double b[10] = {0};
#pragma acc parallel loop copy(b) copyin(p[0:1])
  for (int i = 0; i < 10; ++i)
    // CHECK: virtual-call.cpp:[[@LINE+1]]:{{.*}}call of the virtual function 'Shape::area' in code for a device
    b[i] = p->area();
  printf("%g\n", b[5]);
}
