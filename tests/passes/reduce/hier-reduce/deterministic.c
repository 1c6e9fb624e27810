// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same to the bit from run to run: partial results have places, not turns.
//
// RUN: %device %s | %hier-reduce -accx-deterministic-reductions 2>&1 | FileCheck %s

// CHECK: reduction over threads of 8 bytes: double written as shuffles, in the same order in each run
// CHECK: reduction over teams of 8 bytes: double written as shuffles, in the same order in each run
// No numbers are added by whoever comes.
// CHECK-LABEL: define internal i32 @accx.reduce.grid(
// CHECK-NOT: atomicrmw fadd
// CHECK: call void @_omp_reduction_list_to_global_copy_func(ptr %buffer, i32 %block,
// CHECK-NOT: atomicrmw fadd
// CHECK: call void @_omp_reduction_global_to_list_copy_func(ptr %buffer, i32 %thread,
// CHECK-NOT: atomicrmw fadd
// CHECK: ret i32
double sum(int n, const double *x) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)              \
    map(to : x[ : n])
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
