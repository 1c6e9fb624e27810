// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of their own for groups that are warps, or parts of warps: both with
// copies of the region, where these are known to have so many threads. Where
// workers have no inner loops parts are none, for they would access less side
// by side.
//
// RUN: %device %s | %grid-nest 2>/dev/null | FileCheck %s
// RUN: %device %s | %grid-nest -accx-grid-nest-parts=0 2>/dev/null | FileCheck %s --check-prefix=CHECK-WARPS
// RUN: %device %s | %grid-nest -accx-grid-nest-warps=0 2>/dev/null | FileCheck %s --check-prefix=CHECK-BLOCKS
// RUN: %device %s | %lanes 2>&1 | FileCheck %s --check-prefix=CHECK-LANES
// RUN: %device %s | %folded -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECK-O2
// CHECK-O2: runs on all threads

// CHECK: define {{.*}}void @__omp_offloading_{{.*}}copy_rows
// CHECK: lshr i64 %{{[0-9]+}}, 3,
// CHECK: %[[MANY:many.*]] = icmp uge i64 %gangs
// CHECK-NEXT: %[[PARTS:.*]] = and i1 %whole{{.*}}, %[[MANY]]
// CHECK: lshr i64 %{{[0-9]+}}, 5,
// CHECK: %[[MANY:many.*]] = icmp uge i64 %gangs
// CHECK-NEXT: %[[WARPS:.*]] = and i1 %whole{{.*}}, %[[MANY]]
// What is enough for parts is for warps: parts are asked for first.
// CHECK: br i1 %[[PARTS]],
// CHECK: groups{{.*}}:
// CHECK-NEXT: br i1 %[[WARPS]],
// CHECK: call void @{{.*}}copy_rows{{.*}}omp_outlined.group({{.*}}, i64 8, ptr
// CHECK: call void @{{.*}}copy_rows{{.*}}omp_outlined.group{{[.0-9]+}}({{.*}}, i64 32, ptr
// CHECK-WARPS: omp_outlined.group({{.*}}, i64 32, ptr
// CHECK-WARPS-NOT: omp_outlined.group{{[.0-9]+}}(
// CHECK-BLOCKS: define {{.*}}void @__omp_offloading_{{.*}}copy_rows
// CHECK-BLOCKS-NOT: outlined.group
//
// One remark a loop, whatever the copies.
// CHECK-LANES-COUNT-1: remark: {{.*}}runs across 32 lanes
// CHECK-LANES-NOT: runs across
// The lanes of a part are counted from its first thread in the warp.
// CHECK-LANES: define internal void @{{.*}}omp_outlined.group(
// CHECK-LANES: %lane = and i32 %{{[0-9]+}}, 7
// CHECK-LANES: %[[OF:thread[0-9]*]] = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
// CHECK-LANES: %[[AT:[0-9]+]] = and i32 %[[OF]], 24
// CHECK-LANES: %members = shl i32 255, %[[AT]]
float copy_rows(int nk, int nj, int ni, const float *in, float *out) {
  float s = 0;
#pragma omp target teams distribute reduction(+ : s)                           \
    map(to : in[ : nk * nj * ni]) map(from : out[ : nk * nj * ni])
  for (int k = 0; k < nk; ++k) {
#pragma omp parallel for
    for (int j = 0; j < nj; ++j) {
#pragma omp simd
      for (int i = 0; i < ni; ++i)
        out[(k * nj + j) * ni + i] = in[(k * nj + j) * ni + i];
    }
    s += in[k * nj * ni];
  }
  return s;
}

// CHECK-LABEL: define {{.*}}void @__omp_offloading_{{.*}}flat
// CHECK-NOT: omp_outlined.group{{[.0-9]+}}({{.*}}, i64 8, ptr
// CHECK: call void @{{.*}}flat{{.*}}omp_outlined.group{{.*}}, i64 32, ptr
// CHECK-LANES: !{!"accx.group_loop", i32 8}
void flat(int nk, int nj, float *x) {
#pragma omp target teams distribute map(tofrom : x[ : nk * nj])
  for (int k = 0; k < nk; ++k) {
#pragma omp parallel for
    for (int j = 0; j < nj; ++j)
      x[k * nj + j] *= 2;
  }
}
