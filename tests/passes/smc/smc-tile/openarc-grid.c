// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gangs of two loops are blocks of a grid of two dimensions: nothing divides
// their number. What a block does between two gangs is not done before the
// first or behind the last.
//
// RUN: %device %s | %smc-tile -o %t.ll
// RUN: opt -passes=adce -S %t.ll | FileCheck %s

// 32 iterations are in each block, as many blocks in x as the second argument
// says, the rest in y.
// CHECK: _accx_desc = {{.*}}[128 x i8] c"ACXD
// CHECK-SAME: 0\00\00\00\01\00\00\00\00\00\00\00 \00\00\00\00\00\00\00\0A\00\00\00\00\00\00\00\02\00\00\00\02\00\00\00\0A\00\00\00\01\00\00\00\0B\00\00\00\01\00\00\00"
// CHECK-LABEL: define {{.*}}tiles
// CHECK-NOT: {{[su]}}div i64 {{.*}}, %
// CHECK: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
// CHECK-NOT: {{[su]}}div i64 {{.*}}, %
// CHECK: br i1 %{{.*}}, label %[[GANG:.*]], label %[[DONE:[^,]*]]
// CHECK: {{^}}[[GANG]]:
// CHECK: %number = phi i64 [ %{{.*}}, %{{.*}} ], [ %{{.*}}, %again ]
// CHECK: %number{{[0-9]+}} = phi i64
// CHECK-NOT: {{[su]}}div i64 {{.*}}, %
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK-NOT: barrier0
// CHECK: br i1 %{{.*}}, label %again, label %[[DONE]]
// CHECK: {{^}}again:
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK-NEXT: br label %[[GANG]]
// CHECK-NOT: {{[su]}}div i64 {{.*}}, %
// CHECK: ret void
void tiles(int n, int m, float *restrict a) {
#pragma acc parallel loop gang present(a[0 : n * m * 32])
  for (int i = 0; i < n; ++i)
#pragma acc loop gang
    for (int j = 0; j < m; ++j) {
      float s[32];
#pragma acc loop worker
      for (int t = 0; t < 32; ++t) {
        s[t] = a[(i * m + j) * 32 + t];
#pragma acc barrier
        a[(i * m + j) * 32 + t] = s[31 - t];
      }
    }
}
