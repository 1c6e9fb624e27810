// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A collapsed nest is one loop; a loop in its body stays where it is.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK: made a grid-stride loop
void rows(int n, int m, float *x) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(tofrom : x[ : n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < 4; k++)
        x[i * m + j] += k;
}

// CHECK: define internal void @{{.*}}_omp_outlined_omp_outlined(
// CHECK: %grid.iv = phi i64
// CHECK: udiv i64
// CHECK: icmp slt i32 %{{.*}}, 4
// CHECK: %grid.next = add
