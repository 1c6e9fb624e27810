// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `teams loop`, and distribute inside a separate teams construct.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK: loop-construct.c:[[@LINE+2]]:1: {{.*}} made a grid-stride loop
void loop(int n, float *x) {
#pragma omp target teams loop map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}
// CHECK: loop-construct.c:[[@LINE+3]]:1: {{.*}} made a grid-stride loop
void apart(int n, float *x) {
#pragma omp target teams map(tofrom : x[ : n])
#pragma omp distribute parallel for
  for (int i = 0; i < n; i++)
    x[i] += 1;
}
