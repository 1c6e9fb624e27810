// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refused: iterations that may end the loop for their thread.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK: is not made a grid-stride loop: {{iterations may end the loop|the parallel region has several loops, or none}}
void until(int n, int *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (int i = 0; i < n; i++) {
#pragma omp cancel for if (x[i] == 7)
    x[i] += 1;
  }
}

// CHECK-NOT: grid.iv
