// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refused: a region that may turn out serial.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK: is not made a grid-stride loop: an if clause may make the region serial
void maybe(int n, float *x, int parallel) {
#pragma omp target teams distribute parallel for if (parallel : parallel)      \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}

// CHECK: call void @__kmpc_parallel_51
// CHECK-NOT: grid.iv
