// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of a matrix product: `i & 15` is a thread's place in its block, both
// arrays share the fetch, and sums go on in registers.
//
// RUN: %device %s | %plan 2>&1 | FileCheck %s
// RUN: %accxcc-device -O2 %s -o - | FileCheck %s --check-prefix=CHECK-O2

// CHECK: blocks of 16 x 16
// CHECK: 'a': 16 x 16 elements of 4 bytes, 1 read, 0 tests
// CHECK: 'b': 16 x 16 elements of 4 bytes, 1 read, 0 tests, fetched with the one before
// CHECK-LABEL: define {{.*}}product
// CHECK-COUNT-2: call void @llvm.nvvm.barrier0()
// CHECK-NOT: call void @llvm.nvvm.barrier0()

// The whole pipeline leaves two barriers around the fetch of both.
// CHECK-O2-LABEL: define {{.*}}product
// CHECK-O2-COUNT-2: tail call void @llvm.nvvm.barrier0()
// CHECK-O2-NOT: barrier0
// CHECK-O2: load float, ptr addrspace(3)
// CHECK-O2: @llvm.fmuladd.f32
enum { N = 1024 };
void product(float a[N][N], float b[N][N], float c[N][N]) {
#pragma acc parallel loop collapse(2) copyin(a[0 : N], b[0 : N])               \
    copyout(c[0 : N]) vector_length(256)
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int l = 0; l < N; l += 16) {
        int row = (i & 15) + l, column = (j & 15) + l;
#pragma acc fcw FETCH_ONLY(a[i : 0 : 0 : column : 0 : 0],                      \
                           b[row : 0 : 0][j : 0 : 0])
        for (int m = l; m < l + 16; ++m)
          sum += a[i][m] * b[m][j];
      }
      c[i][j] = sum;
    }
}
