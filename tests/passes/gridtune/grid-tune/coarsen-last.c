// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is left of a last iteration belongs to the thread that runs it: threads
// keep their iterations, and do several of them at a time in their order.
//
// RUN: %device %s | %tuned 2>&1 | FileCheck %s

// CHECK-NOT: neighbouring
// CHECK: a grid-stride loop does 4 iterations at a time
// CHECK-NOT: neighbouring
float last(int n, const float *x, float *y) {
  float at = 0;
#pragma omp target teams distribute parallel for lastprivate(at)               \
    map(to : x[ : n]) map(tofrom : y[ : n], at)
  for (int i = 0; i < n; i++) {
    at = x[i] * 2;
    y[i] = at;
  }
  return at;
}
