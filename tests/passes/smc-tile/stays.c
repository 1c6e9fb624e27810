// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of collapsed loops go on to other places, as many as fit on the
// device; a third more than iterations need, since those at the borders are
// short. Blocks of one dimension are as many as there are places.
//
// RUN: %device %s | %smc-tile | FileCheck %s

// The block's threads, and iterations for each: 256 and 192, then 256 and 256.
// CHECK: both{{.*}}_accx_desc = {{.*}}[80 x i8] c"ACXD{{.*}}\00\01\00\00\01\00\00\00\01\00\00\00\00\00\00\00\01\00\00\00\C0\00\00\00
// CHECK: one{{.*}}_accx_desc = {{.*}}[80 x i8] c"ACXD{{.*}}\00\01\00\00\01\00\00\00\01\00\00\00\00\00\00\00\01\00\00\00\00\01\00\00
// CHECK-LABEL: define {{.*}}both
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
