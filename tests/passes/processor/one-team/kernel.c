// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that may have one team asks whether it has, and starts without a
// league then; what is asked of a league is asked of leagues alone. Threads
// compute their shares of its loop.
//
// RUN: %device %s | FileCheck %s
// RUN: %device %s -Rpass=one-team 2>&1 | FileCheck %s --check-prefix=CHECK-REMARK
// RUN: %device %s -Xclang -mllvm -Xclang -accx-one-team=false | FileCheck %s --check-prefix=CHECK-OFF

// CHECK-REMARK: kernel.c:[[#@LINE+24]]:{{.*}}remark: the kernel starts without a league where it has one team

// CHECK-OFF-NOT: omp_get_max_teams

// CHECK-LABEL: define {{.*}}void @__omp_offloading_{{.*}}_f_l
// CHECK-NOT: __kmpc_push_num_teams
// CHECK: call i32 @omp_get_max_teams()
// CHECK: call i32 @omp_get_max_threads()
// CHECK: call i32 @omp_get_num_procs()
// CHECK: call i32 @omp_get_teams_thread_limit()
// CHECK: br i1
// CHECK: call void @__omp_offloading_{{.*}}_f_l{{[0-9]+}}.omp_outlined.one(
// CHECK: call void @__kmpc_push_num_teams(
// CHECK-NEXT: call void {{.*}}@__kmpc_fork_teams(
// CHECK-LABEL: define internal void @__omp_offloading_{{.*}}.omp_outlined.omp_outlined(
// CHECK-NOT: call void @__kmpc_for_static
// CHECK: call i32 @__kmpc_bound_num_threads(
// CHECK: call i32 @__kmpc_bound_thread_num(
// CHECK-NOT: call void @__kmpc_for_static
// CHECK-LABEL: define internal void @__omp_offloading_{{.*}}.omp_outlined.one(
// CHECK-NOT: call void @__kmpc_for_static
// CHECK: call void {{.*}}@__kmpc_fork_call(
// CHECK: ret void
void f(int n, float *a) {
#pragma omp target teams distribute parallel for map(a[ : n]) thread_limit(256)
  for (int i = 0; i < n; ++i)
    a[i] += 1;
}
