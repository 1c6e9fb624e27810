// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three levels: where workers are few their vector loops take blocks, several
// of which leave records for the last; where these loops are short a warp has
// several at a time.
//
// RUN: %device %s | %lanes 2>&1 | FileCheck %s

// CHECK: remark: {{.*}}vector loop runs across 32 lanes
// CHECK-DAG: @accx.lanes.slots = internal addrspace(3) global
// CHECK-DAG: @accx.lanes.ticket = internal addrspace(3) global
// CHECK: define internal void @{{.*}}sums{{.*}}omp_outlined_omp_outlined(
// CHECK-DAG: %few = icmp ule i64
// CHECK-DAG: %width = mul i64
// CHECK-DAG: %turn = phi i32
// CHECK-DAG: %members = shl i32 255,
// CHECK-DAG: br i1 %last, label %{{[^,]+}}, label %lanes.left
void sums(int nk, int nj, int ni, const float *in, float *out) {
#pragma omp target teams distribute map(to : in[ : nk * nj * ni])              \
    map(from : out[ : nk * nj])
  for (int k = 0; k < nk; ++k) {
#pragma omp parallel for
    for (int j = 0; j < nj; ++j) {
      float s = 0;
#pragma omp simd reduction(+ : s)
      for (int i = 0; i < ni; ++i)
        s += in[(k * nj + j) * ni + i];
      out[k * nj + j] = s;
    }
  }
}
