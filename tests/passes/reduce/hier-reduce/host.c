// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for processors is left alone.
//
// RUN: %plainclang -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu --offload-device-only -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %hier-reduce 2>&1 | FileCheck %s

// CHECK-NOT: accx.reduce
// CHECK-NOT: remark
// CHECK: call i32 @__kmpc_reduce_nowait(
long sum(int n, const int *x) {
  long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)              \
    map(to : x[ : n])
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
