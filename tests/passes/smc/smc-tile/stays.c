// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of loops with channel types go on to other places, as many as fit on
// the device. How many there are in each dimension a launch computes of
// arguments, or not, where that is more than sums and products: a third more
// are launched then than iterations need, since those at the borders are short.
//
// RUN: %device %s | %smc-tile | FileCheck %s

// The block's threads, iterations for each, and what is said of dimensions:
// argument 1, of which 16 make a block in x, and 16 of the rest in y.
// CHECK: both{{.*}}_accx_desc = {{.*}}[120 x i8] c"ACXD{{.*}}\00\01\00\00\01\00\00\00\01\00\00\00\00\00\00\00\01\00\00\00\C0\00\00\00
// CHECK-SAME: (\00\00\00\02\00\00\00\01\00\00\00\03\00\00\00 \00\00\00\04\00\00\00 \00\00\00\0A\00\00\00\10\00\00\00\0B\00\00\00\10\00\00\00"
// CHECK: half{{.*}}_accx_desc = {{.*}}[80 x i8] c"ACXD{{.*}}\C0\00\00\00
// CHECK: one{{.*}}_accx_desc = {{.*}}[80 x i8] c"ACXD{{.*}}\00\01\00\00\01\00\00\00\01\00\00\00\00\00\00\00\01\00\00\00\00\01\00\00

// A loop over columns, and in it one over the blocks of a column.
// CHECK-LABEL: define {{.*}}both
// CHECK-NOT: udiv i32 %{{.*}}, %
// CHECK: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
// CHECK: {{^}}[[COLUMN:column[0-9]*]]:
// CHECK: asm sideeffect "mov.b32 $0, $1;"
// CHECK: %number = phi i32
// CHECK: br i1 %{{.*}}, label %[[COLUMN]], label
void both(int n, float (*restrict a)[128], float *b) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[ : n]) \
    map(from : b[ : n])
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0][j : 0 : 0]) block(16, 16)
    {
      a[i][j] = a[i][j] + 1;
      if (j > 0)
        b[i] = a[i][j];
    }
}
// CHECK-LABEL: define {{.*}}half
// CHECK-NOT: ctaid.y
// CHECK: udiv i32 %{{.*}}, %
// CHECK-NOT: ctaid.y
void half(int n, float (*restrict a)[128], float *b) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a[ : n]) \
    map(from : b[ : n])
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n >> 1; ++j)
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0][j : 0 : 0]) block(16, 16)
    {
      a[i][j] = a[i][j] + 1;
      if (j > 0)
        b[i] = a[i][j];
    }
}
// CHECK-LABEL: define {{.*}}one
void one(int n, float *restrict a, float *b) {
#pragma omp target teams distribute parallel for map(to : a[ : n])             \
    map(from : b[ : n])
  for (int i = 0; i < n; ++i)
#pragma accx smc FETCH_CHANNEL(a[i : 0 : 0]) block(256)
  {
    a[i] = a[i] + 1;
    b[i] = a[i];
  }
}
