// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In compilations the pass follows grid-loop; an option leaves it out, and so
// does -O0.
//
// RUN: %accxcc-device -O2 -Rpass=hier-reduce %s -o - 2>&1 | FileCheck %s
// RUN: %accxcc-device -O2 -Xclang -mllvm -Xclang -accx-hier-reduce=0 %s -o - | FileCheck %s --check-prefix=CHECK-OFF
// RUN: %accxcc-device -O0 %s -o - | FileCheck %s --check-prefix=CHECK-OFF

// CHECK: remark: reduction over threads of 8 bytes: i64 written as shuffles
// CHECK-NOT: call {{.*}}@__kmpc_nvptx_
// CHECK: call {{.*}}@llvm.nvvm.shfl.sync.down.i32(
// CHECK-OFF-NOT: accx.reduce
// CHECK-OFF: call {{.*}}@__kmpc_nvptx_
long sum(int n, const int *x) {
  long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)              \
    map(to : x[ : n])
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
