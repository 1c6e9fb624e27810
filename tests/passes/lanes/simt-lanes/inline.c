// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that vector loops call are put in place first: four iterations of a
// lane load before any stores. What must not be inlined stays, and so do loops
// that are no lanes'.
//
// RUN: %device %s | %simt-lanes 2>&1 | FileCheck %s

static float three(float x, float y, float z) { return x + y + z; }
static float around(const float *x, int i) {
  return three(x[i], x[i + 1], x[i + 2]);
}
__attribute__((noinline)) static float kept(float x) { return x * 2; }

// CHECK: inline.c:{{.*}}: vector loop runs across 32 lanes
void rows(int n, int m, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++) {
#pragma omp simd
    for (int j = 0; j < m; j++)
      y[i * m + j] = around(x, i * m + j);
  }
}
// CHECK: inline.c:{{.*}}: vector loop runs across 32 lanes
void stays(int n, int m, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++) {
#pragma omp simd
    for (int j = 0; j < m; j++)
      y[i * m + j] = kept(x[i * m + j]);
  }
}
// CHECK-LABEL: define internal {{.*}}rows{{.*}}omp_outlined
// CHECK: lanes.four.body:
// CHECK-COUNT-12: load float
// CHECK-COUNT-4: store float
// CHECK-LABEL: define internal {{.*}}stays{{.*}}omp_outlined
// CHECK: call {{.*}}@kept
