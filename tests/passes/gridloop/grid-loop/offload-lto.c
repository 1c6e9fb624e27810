// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With -foffload-lto device code is linked as bitcode. What the compilation
// hands to the linker has the loops of both passes, and reductions as shuffles,
// like code without it.
//
// RUN: %accxcc-device -O2 -foffload-lto -Rpass=grid- %s \
// RUN:   -o %t.ll 2> %t.remarks
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck %s --check-prefix=CHECK-REMARK < %t.remarks

// CHECK-REMARK: offload-lto.c:[[@LINE+3]]:1: remark: loop of {{.*}} made a grid-stride loop
// CHECK-REMARK: offload-lto.c:[[@LINE+2]]:1: remark: a grid-stride loop does 4 {{.*}}iterations at a time
float sum(int n, float *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] *= 2;
  float s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)              \
    map(to : x[ : n])
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

// CHECK-LABEL: define {{.*}}sum_l14(
// CHECK-NOT: call {{.*}}__kmpc_parallel_51
// CHECK-COUNT-4: load float
// CHECK-COUNT-4: store float
// CHECK-LABEL: define {{.*}}sum_l18(
// CHECK-NOT: call {{.*}}__kmpc_parallel_51
// CHECK-NOT: call {{.*}}reduce_nowait
// CHECK: call {{.*}}@llvm.nvvm.shfl.sync.down
// CHECK-NOT: call {{.*}}reduce_nowait
