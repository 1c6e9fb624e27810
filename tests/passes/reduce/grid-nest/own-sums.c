// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes keep sums that only go into a reduction of the same operator over
// threads; not where somebody reads them before, or the operators differ.
//
// RUN: %device %s | %lanes 2>/dev/null | FileCheck %s
#define NEST(OUTER, INNER, STEP, AFTER)                                        \
  for (int k = 0; k < nk; ++k) {                                               \
    float s = 0;                                                               \
    _Pragma(OUTER) for (int j = 0; j < nj; ++j) {                              \
      _Pragma(INNER) for (int i = 0; i < ni; ++i) STEP;                        \
      AFTER;                                                                   \
    }                                                                          \
    y[k] = s;                                                                  \
  }
#define X x[(k * nj + j) * ni + i]
#define PARAMETERS int nk, int nj, int ni, const float *x, float *y
#define TARGET "omp target teams distribute map(to : x[ : nk * nj * ni])"

// CHECK-LABEL: define internal void @{{.*}}_sums_{{.*}}omp_outlined_omp_outlined(
// CHECK-NOT: shfl
// CHECK-NOT: accx.lanes.slots
// CHECK: call void @accx.reduce.block
void sums(PARAMETERS) {
  _Pragma(TARGET) NEST("omp parallel for reduction(+ : s)",
                       "omp simd reduction(+ : s)", s += X, )
}

// CHECK-LABEL: define internal void @{{.*}}_most_{{.*}}omp_outlined_omp_outlined(
// CHECK-NOT: shfl
// CHECK: call void @accx.reduce.block
void most(PARAMETERS) {
  _Pragma(TARGET) NEST("omp parallel for reduction(max : s)",
                       "omp simd reduction(max : s)", s = s < X ? X : s, )
}

// CHECK-LABEL: define internal void @{{.*}}_read_{{.*}}omp_outlined_omp_outlined(
// CHECK: shfl
// CHECK: call void @accx.reduce.block
void read(PARAMETERS) {
  _Pragma(TARGET) NEST("omp parallel for reduction(+ : s)",
                       "omp simd reduction(+ : s)", s += X, y[j] = s)
}

// CHECK-LABEL: define internal void @{{.*}}_other_{{.*}}omp_outlined_omp_outlined(
// CHECK: shfl
// CHECK: call void @accx.reduce.block
void other(PARAMETERS) {
  _Pragma(TARGET) NEST("omp parallel for reduction(max : s)",
                       "omp simd reduction(+ : s)", s += X, )
}
