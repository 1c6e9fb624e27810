// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `simd` gives its counter a last value, which is lost where the counter is the
// loop's own; where it is not, the thread of the last iteration stores it.
//
// RUN: %device %s | %grid-nest 2>&1 | FileCheck %s
// RUN: %device %s | %folded 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=CHECK-O2
// RUN: %device -DGIVEN %s | %grid-nest 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-GIVEN

// CHECK: remark: {{.*}}own{{.*}} runs on all threads of the grid
// CHECK-O2-NOT: __kmpc_parallel_51(
// CHECK-O2: define {{.*}}void @__omp_offloading_{{.*}}own
// CHECK-GIVEN: remark: {{.*}}given{{.*}} runs on all threads of the grid, whose groups run the outer loop together
// CHECK-GIVEN: call void @{{.*}}given_l{{[0-9]+}}_omp_outlined_omp_outlined(
// CHECK-GIVEN: call void @llvm.nvvm.barrier0()
// CHECK-GIVEN: load i32, ptr addrspacecast (ptr addrspace(3) @accx.gang to ptr)
#ifndef GIVEN
void own(int n, int m, float *restrict a, const float *b) {
#pragma omp target teams distribute map(from : a[ : n * m])                    \
    map(to : b[ : n * m])
  for (int i = 0; i < n; ++i) {
#pragma omp parallel for simd
    for (int j = 0; j < m; ++j)
      a[i * m + j] = 2 * b[i * m + j];
  }
}
#else
void given(int n, int m, float *restrict a, int *last) {
#pragma omp target teams distribute map(from : a[ : n * m], last[ : n])
  for (int i = 0; i < n; ++i) {
    int j;
#pragma omp parallel for simd
    for (j = 0; j < m; ++j)
      a[i * m + j] = j;
    last[i] = j;
  }
}
#endif
