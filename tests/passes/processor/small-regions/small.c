// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a region starts its work is estimated from the loop's bounds: one
// thread does what is small, with all of the loop. A program's other regions
// and those in functions that may be called inside of a region start threads.
//
// RUN: %device %s | FileCheck %s
// RUN: %device %s -Rpass=small-regions 2>&1 | FileCheck %s --check-prefix=CHECK-REMARK
// RUN: %device %s -Xclang -mllvm -Xclang -accx-small-regions=false | FileCheck %s --check-prefix=CHECK-OFF

// CHECK-REMARK: small.c:[[#@LINE+18]]:{{.*}}remark: the region runs on one thread where its work is small

// CHECK-OFF-NOT: .alone

// CHECK-LABEL: define internal void @{{.*}}_f_l{{[0-9]+}}.omp_outlined.one(
// CHECK: [[IS:%.*]] = icmp ult i64 {{.*}}, 4000
// CHECK-NEXT: br i1 [[IS]], label %[[ALONE:.*]], label %[[TEAM:.*]]
// CHECK: [[ALONE]]:
// CHECK-NEXT: call void @{{.*}}_f_l{{[0-9]+}}.omp_outlined.omp_outlined.alone(ptr null, ptr null,
// CHECK: [[TEAM]]:
// CHECK: @__kmpc_fork_call(
// CHECK-NOT: .alone(
// CHECK-LABEL: define internal void @{{.*}}.omp_outlined.omp_outlined.alone(
// CHECK-NOT: __kmpc_
// CHECK-NOT: accx.iterations
// CHECK: ret void

void f(int n, float *a) {
#pragma omp target teams distribute parallel for map(a[ : n])
  for (int i = 0; i < n; ++i)
    a[i] += 1;
}
