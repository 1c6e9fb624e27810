// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A parallel loop in a distributed one: no sequential parts are left, and
// nothing of the runtime's for parallel regions.
//
// RUN: %device %s | %grid-nest 2>&1 | FileCheck %s
// RUN: %device %s | %folded 2>/dev/null | FileCheck %s --check-prefix=CHECK-O2
// RUN: %accxcc-device -O0 %s -o - | FileCheck %s --check-prefix=CHECK-O0

// CHECK: remark: {{.*}}runs on all threads of the grid, blocks may share an iteration
// CHECK: kernel_environment = {{.*}} { i8 0, i8 1, i8 2, i32 512, i32 512, i32 2147483647, i32 0, i32 64, i32 1 }
// CHECK-NOT: __kmpc_parallel_51(
// CHECK-NOT: __kmpc_alloc_shared(
// CHECK-NOT: __kmpc_distribute_static_init
// CHECK-NOT: __kmpc_for_static_init
// CHECK-DAG: define {{.*}}void @__omp_offloading_{{.*}}rows
// CHECK-DAG: %shares{{[.i]*}} = and i1
// CHECK-DAG: %many{{[.i]*}} = icmp uge i64
// CHECK-DAG: omp_outlined{{.*}}(ptr {{.*}}, i64 %rank, i64 %threads, ptr %{{[^,]*}}, ptr %{{[^,]*}})
// CHECK-DAG: !"accx.nest_loop"
// CHECK-DAG: !"minctasm", i32 2}
// CHECK-O2-NOT: __kmpc_parallel_51(
// CHECK-O2: define {{.*}}void @__omp_offloading_{{.*}}rows
// CHECK-O2-NOT: alloca
// CHECK-O0: call void @__kmpc_parallel_51(
void rows(int n, int m, float *x) {
#pragma omp target teams distribute map(tofrom : x[ : n * m])
  for (int i = 0; i < n; i++) {
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      x[i * m + j] += 1;
  }
}
