// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of an array that threads only add to: a block's copies in shared
// memory, as many as fit, one atomic an element and block at the end. Nothing
// is left of the threads' arrays, of the team's, or of the records.
//
// RUN: %device %s | %folded 2>&1 | FileCheck %s
// RUN: %device %s | %folded -accx-reduce-copies=4096 2>&1 | FileCheck %s --check-prefix=CHECK-FEW
// RUN: %device %s | %folded -accx-reduce-arrays=0 2>&1 | FileCheck %s --check-prefix=CHECK-OFF

// CHECK: a block reduces [256 x i32] in shared memory, in 16 copies
// CHECK-NOT: written as shuffles
// CHECK: @accx.reduce.array = internal {{.*}}addrspace(3) global [4096 x i32] undef
// CHECK-LABEL: define weak_odr protected {{.*}}@__omp_offloading
// CHECK-NOT: alloca
// CHECK: store i32 0, ptr addrspace(3)
// CHECK: call void @llvm.nvvm.barrier0()
// Loads of neighbouring iterations first.
// CHECK: load i8, ptr
// CHECK-NOT: atomicrmw
// CHECK: load i8, ptr
// CHECK-COUNT-4: atomicrmw add ptr addrspace(3) {{.*}}, i32 1 monotonic
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK: "red.global.add.u32 [$0], $1;"
// CHECK-NOT: __kmpc_nvptx_
// CHECK-FEW: a block reduces [256 x i32] in shared memory, in 4 copies
// CHECK-FEW: global [1024 x i32]
// CHECK-OFF: reduction over threads of 1024 bytes: [256 x i32] written
// CHECK-OFF-NOT: @accx.reduce.array
void histogram(int n, const unsigned char *x, int bins[256]) {
#pragma omp target teams distribute parallel for reduction(+ : bins[ : 256])   \
    map(to : x[ : n])
  for (int i = 0; i < n; i++)
    bins[x[i]] += 1;
}
