// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes: the length that the program gives, rounded down to a power of two and
// at most a warp; else a warp, or what a known trip count needs. Groups smaller
// than a warp have masks of their own.
//
// RUN: %device %s | %simt-lanes 2>&1 | FileCheck %s

#define ROWS(NAME, CLAUSE, COUNT)                                              \
  void NAME(int n, int m, float *a) {                                          \
    _Pragma("acc parallel loop gang worker copy(a[ : n * m])") for (int i = 0; \
                                                                    i < n;     \
                                                                    i++) {     \
      a[i * m] = 2;                                                            \
      _Pragma(CLAUSE) for (int j = 0; j < COUNT; j++) a[i * m + j] += 1;       \
    }                                                                          \
  }

// CHECK: length.c:[[#@LINE+1]]:{{.*}} runs across 8 lanes
ROWS(eight, "acc loop vector(8)", m)
// CHECK: length.c:[[#@LINE+1]]:{{.*}} runs across 8 lanes
ROWS(ten, "acc loop vector(10)", m)
// CHECK: length.c:[[#@LINE+1]]:{{.*}} runs across 32 lanes
ROWS(many, "acc loop vector(128)", m)
// CHECK: length.c:[[#@LINE+1]]:{{.*}} runs across 2 lanes
ROWS(one, "acc loop vector(1)", m)
// CHECK: length.c:[[#@LINE+1]]:{{.*}} runs across 4 lanes
ROWS(three, "acc loop vector", 3)

// CHECK-LABEL: define internal void @{{.*}}eight{{.*}}omp_outlined_omp_outlined(
// CHECK: icmp uge i32 %threads{{[0-9]*}}, 8
// CHECK: %lane = and i32 %[[TID:thread[0-9]*]], 7
// CHECK: %[[FIRST:[0-9]+]] = and i32 %[[TID]], 24
// CHECK: %members = shl i32 255, %[[FIRST]]
// CHECK: call void @llvm.nvvm.bar.warp.sync(i32 %members)
