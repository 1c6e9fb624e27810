// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gang's objects in shared memory, the program's barriers, exact blocks.
//
// RUN: %device %s | %smc-tile | FileCheck %s
// RUN: %device %s | %plan -o %t 2>&1 | FileCheck %s --check-prefix=CHECK-PLAN
// CHECK-PLAN: blocks of 1 x 48
// clang-format off

// CHECK: @[[S:.*]].team = internal addrspace(3) global [192 x i8] poison, align 16
// CHECK: _accx_desc = {{.*}}constant
// CHECK: %number{{.*}} = phi
// CHECK-NOT: __kmpc_alloc_shared
// CHECK: store float {{.*}}
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK: store float {{.*}}
// One more: the next gang's turn.
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK-NOT: call void @llvm.nvvm.barrier0()
// CHECK-NOT: stackmap
void reverse(int n, float *restrict a) {
#pragma acc parallel loop gang copy(a[0:n * 48])
  for (int g = 0; g < n; ++g) {
    float s[48];
#pragma acc loop worker
    for (int i = 0; i < 48; ++i) {
      s[i] = a[g * 48 + i];
#pragma acc barrier
      a[g * 48 + i] = s[47 - i];
    }
  }
}
