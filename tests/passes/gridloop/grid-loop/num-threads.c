// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A constant num_threads also bounds the kernel's blocks: all threads take
// part. One that is not constant may leave threads out.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK: num-threads.c:[[@LINE+2]]:1: {{.*}} made a grid-stride loop
void constant(int n, float *x) {
#pragma omp target teams distribute parallel for num_threads(64)               \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}
// CHECK: num-threads.c:[[@LINE+2]]:1: {{.*}} is not made a grid-stride loop: num_threads may leave threads of a team out
void variable(int n, float *x, int t) {
#pragma omp target teams distribute parallel for num_threads(t)                \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}

// CHECK: %grid.iv
// CHECK-NOT: %grid.iv = phi
