// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of all operators: one instruction that commutes is exchanged both
// ways, or left to the instruction for it; anything else goes down to lane 0,
// whose result all lanes get.
//
// RUN: %device %s | %simt-lanes 2>&1 | FileCheck %s --implicit-check-not=serial

#define REDUCTION(NAME, TYPE, OPERATOR, STEP)                                  \
  void NAME(int n, int m, const TYPE *a, TYPE *y) {                            \
    _Pragma("acc parallel loop gang worker default(present)") for (int i = 0;  \
                                                                   i < n;      \
                                                                   i++) {      \
      TYPE s = y[i];                                                           \
      _Pragma(OPERATOR) for (int j = 0; j < m; j++) {                          \
        TYPE v = a[i * m + j];                                                 \
        STEP;                                                                  \
      }                                                                        \
      y[i] = s;                                                                \
    }                                                                          \
  }

REDUCTION(addInt, int, "acc loop vector reduction(+ : s)", s += v)
REDUCTION(addDouble, double, "acc loop vector reduction(+ : s)", s += v)
REDUCTION(mulLong, long, "acc loop vector reduction(* : s)", s *= v)
REDUCTION(maxFloat, float, "acc loop vector reduction(max : s)",
          if (v > s) s = v)
REDUCTION(minShort, short, "acc loop vector reduction(min : s)",
          s = v < s ? v : s)
REDUCTION(orUnsigned, unsigned, "acc loop vector reduction(| : s)", s |= v)
REDUCTION(both, int, "acc loop vector reduction(&& : s)", s = s && v)
REDUCTION(any, _Bool, "acc loop vector reduction(|| : s)", s = s || v)

// CHECK-COUNT-8: vector loop runs across 32 lanes

// CHECK-LABEL: define internal void @{{.*}}addInt{{.*}}omp_outlined_omp_outlined(
// CHECK: call i32 @llvm.nvvm.redux.sync.add(
// CHECK-LABEL: define internal void @{{.*}}addDouble{{.*}}omp_outlined_omp_outlined(
// CHECK-COUNT-10: shfl.sync.bfly
// CHECK-LABEL: define internal void @{{.*}}mulLong{{.*}}omp_outlined_omp_outlined(
// CHECK-COUNT-10: shfl.sync.bfly
// CHECK-LABEL: define internal void @{{.*}}maxFloat{{.*}}omp_outlined_omp_outlined(
// CHECK: shfl.sync.down.i32(i32 -1, i32 %{{[0-9]+}}, i32 16, i32 31)
// CHECK: fcmp ogt float
// CHECK-NEXT: select
// CHECK: shfl.sync.down.i32(i32 -1, i32 %{{[0-9]+}}, i32 8, i32 31)
// CHECK: shfl.sync.down.i32(i32 -1, i32 %{{[0-9]+}}, i32 1, i32 31)
// CHECK: shfl.sync.idx.i32(i32 -1, i32 %{{[0-9]+}}, i32 0, i32 31)
// CHECK-LABEL: define internal void @{{.*}}minShort{{.*}}omp_outlined_omp_outlined(
// CHECK: shfl.sync.idx.i32
// CHECK-LABEL: define internal void @{{.*}}orUnsigned{{.*}}omp_outlined_omp_outlined(
// CHECK: call i32 @llvm.nvvm.redux.sync.or(
// CHECK-LABEL: define internal void @{{.*}}both{{.*}}omp_outlined_omp_outlined(
// CHECK: select i1 %{{[0-9]+}}, i1 %{{[0-9]+}}, i1 false
// CHECK: shfl.sync.idx.i32
// CHECK-LABEL: define internal void @{{.*}}any{{.*}}omp_outlined_omp_outlined(
// CHECK: select i1 %{{[0-9a-z]+}}, i1 true, i1 %{{[0-9a-z]+}}
// CHECK: shfl.sync.idx.i32
