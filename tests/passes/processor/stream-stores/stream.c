// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From -O2 on kernels have a version that writes past the cache, but what runs
// on one thread because it is small.
//
// RUN: %device %s | FileCheck %s
// RUN: %device %s -Xclang -mllvm -Xclang -accx-stream-stores=false | FileCheck %s --check-prefix=CHECK-OFF
// RUN: %device %s -O1 | FileCheck %s --check-prefix=CHECK-OFF

// CHECK-OFF-NOT: nontemporal
// CHECK-OFF-NOT: __accx_stream_bytes

// CHECK-LABEL: define internal void @{{.*}}.omp_outlined.omp_outlined(
// CHECK: [[TEAM:%.*]] = call i32 @__kmpc_bound_num_threads(
// CHECK: [[THREADS:%.*]] = zext i32 [[TEAM]] to i64
// CHECK: mul i64 {{%.*}}, [[THREADS]]
// CHECK-NEXT: load i64, ptr @__accx_stream_bytes
// CHECK: !nontemporal
// CHECK: call void @llvm.x86.sse.sfence()
// CHECK-LABEL: define internal void @{{.*}}.alone(
// CHECK-NOT: !nontemporal
// CHECK: ret void

void f(int n, const float *a, float *c) {
#pragma omp target teams distribute parallel for map(a[ : n], c[ : n])
  for (int i = 0; i < n; ++i)
    c[i] = a[i] + 1;
}
