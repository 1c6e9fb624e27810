// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A range of three elements around the index: a block of 128 threads has 130,
// fetched between two barriers, by every thread of the block.
//
// RUN: %device %s | %plan 2>&1 | FileCheck %s

// CHECK-LABEL: stencil
// CHECK: blocks of 128
// CHECK: one-dimension.c:[[#@LINE+36]]: 'a': 130 elements of 4 bytes, 3 reads, 0 tests
// CHECK: 'a' cached: 130 elements, 520 bytes for blocks of 128 threads

// The copy, and what the runtime is told.
// CHECK: @[[COPY:.*]] = internal addrspace(3) global [520 x i8] poison, align 16
// CHECK: _accx_desc = weak_odr protected constant [80 x i8] {{.*}}, align 8
// CHECK-LABEL: define {{.*}}stencil
// Blocks, not threads, are dealt out.
// CHECK: %blocks = add i32
// CHECK: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
// A thread without an iteration repeats the last.
// CHECK: call i32 @llvm.umin.i32(
// Nothing tells the array's length: no farther than iterations that there are.
// CHECK: call i64 @llvm.smin.i64(
// CHECK: load i32, ptr
// All have read the copy of the block before, if there was one.
// CHECK: %[[AGAIN:.*]] = icmp ne i32 %number, %{{.*}}
// CHECK-NEXT: br i1 %[[AGAIN]],
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK: store i32 {{.*}}, ptr addrspace(3)
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK: load float, ptr addrspace(3)
// CHECK: load float, ptr addrspace(3)
// CHECK: load float, ptr addrspace(3)
// It writes nothing.
// CHECK: br i1 %{{.*}}, label %[[THEN:.*]], label
// CHECK: [[THEN]]:
// CHECK-NEXT: store float
// CHECK-NOT: stackmap
// Other numbers of threads are no option.
// CHECK-NOT: stencil{{.*}}, !"maxntidx"
// CHECK: !{ptr @{{.*}}stencil{{.*}}, !"reqntidx", i32 128}
void stencil(int n, const float *a, float *b) {
#pragma omp target teams distribute parallel for map(to : a[ : n])             \
    map(from : b[ : n])
  for (int i = 1; i < n - 1; ++i)
#pragma accx smc FETCH_ONLY(a[i : 1 : 1]) block(128)
    b[i] = a[i - 1] + a[i] + a[i + 1];
}
