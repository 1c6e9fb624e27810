// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both calls of a sum become straight code, the region is called directly, and
// nothing of the variable stays in memory once all is inlined.
//
// RUN: %device %s | %hier-reduce 2>&1 | FileCheck %s
// RUN: %device %s | %folded 2>/dev/null | FileCheck %s --check-prefix=CHECK-O2

// CHECK: sum.c:[[@LINE+6]]:{{.*}}: reduction over threads of 4 bytes: float written as shuffles
// CHECK: sum.c:{{.*}}: reduction over teams of 4 bytes: float written as shuffles
// CHECK: @accx.reduce.slots = internal addrspace(3) global [128 x i8]
float sum(int n, float *x) {
  float s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)              \
    map(to : x[ : n])
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

// CHECK-NOT: call {{.*}}@__kmpc_nvptx_
// CHECK-NOT: call {{.*}}@__kmpc_parallel_51
// The kernel's environment asks for more records.
// CHECK-O2: kernel_environment = {{.*}} i32 4, i32 16384 }
// CHECK-O2: define {{.*}}void @__omp_offloading
// CHECK-O2-NOT: alloca
// CHECK-O2-NOT: define
// CHECK-O2-NOT: parallel_51
// CHECK-O2-NOT: alloca
// CHECK-O2: call i32 @llvm.nvvm.shfl.sync.down.i32(
