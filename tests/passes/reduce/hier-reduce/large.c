// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A large array goes through the slots in rounds, counted by a loop, and so
// does not make code of its own size. Where it would be reduced again for each
// chunk of a loop over teams, that part is left to the runtime.
//
// RUN: %device -DNEST="target parallel for" %s | %hier-reduce -accx-reduce-arrays=0 2>&1 | FileCheck %s
// RUN: %device -DNEST="target teams distribute parallel for" %s | %alone -accx-reduce-arrays=0 2>&1 | FileCheck %s --check-prefix=CHECK-CHUNKS

#define PRAGMA(X) _Pragma(#X)
#define ON(NEST, REST) PRAGMA(omp NEST REST)

// CHECK: reduction over threads of 2400 bytes: [300 x double] written
// CHECK: @accx.reduce.slots = internal addrspace(3) global [2048 x i8]
// CHECK-CHUNKS: reduction over teams of 2400 bytes: [300 x double] written
// CHECK-CHUNKS: left to the device runtime: a large array is reduced again and again
// CHECK-CHUNKS: kernel_environment = {{.*}} i32 2400, i32 1024 }
// CHECK-CHUNKS: call i32 @__kmpc_nvptx_parallel_reduce_nowait_v2(
void histogram(int n, const int *x, double bins[300]) {
  ON(NEST, reduction(+ : bins[:300]) map(to : x[:n]))
  for (int i = 0; i < n; i++)
    bins[x[i]] += 1;
}

// CHECK-LABEL: define internal void @accx.reduce.warp(
// CHECK: icmp ult i32 %index, 300
// CHECK: call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %{{.*}}, i32 %{{.*}}, i32 16, i32 31)
// CHECK: call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %{{.*}}, i32 %{{.*}}, i32 16, i32 31)
// CHECK-NOT: i32 16, i32 31)
// CHECK-LABEL: define internal void @accx.reduce.block(
// CHECK: call i32 @llvm.umin.i32(i32 %{{[0-9]+}}, i32 8)
// CHECK-COUNT-2: call void @llvm.nvvm.barrier0()
// CHECK-NOT: call void @llvm.nvvm.barrier0()
// CHECK: declare void @llvm.nvvm.barrier0()
