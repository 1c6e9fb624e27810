// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team's variable that each of its iterations adds to: nothing may take it
// for what it held before the first, once regions are inlined.
//
// RUN: %device %s | %folded 2>/dev/null | FileCheck %s

// CHECK: define {{.*}}void @__omp_offloading_{{.*}}most
// CHECK-NOT: call void @{{.*}}omp_outlined
// CHECK: [[TEAM:%gang[0-9a-z.]+]] = phi i32 [ 0, %{{[^ ]+}} ], [ %{{[^ ]+}}, %{{[^ ]+}} ]
// CHECK: call i32 @llvm.umax.i32(i32 [[TEAM]],
unsigned most(int n, int m, const unsigned *x) {
  unsigned s = 0;
#pragma omp target teams distribute reduction(max : s) map(to : x[ : n * m])
  for (int i = 0; i < n; i++) {
#pragma omp parallel for reduction(max : s)
    for (int j = 0; j < m; j++)
      s = x[i * m + j] > s ? x[i * m + j] : s;
  }
  return s;
}
