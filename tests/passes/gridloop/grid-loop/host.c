// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for processors is left alone.
//
// RUN: %plainclang -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu --offload-device-only -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %grid-loop 2>&1 | FileCheck %s

// CHECK-NOT: grid-stride
// CHECK: call void @__kmpc_for_static_init_4({{.*}}, i32 92,
// CHECK: call void @__kmpc_for_static_init_4({{.*}}, i32 34,
void add(int n, float *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}
