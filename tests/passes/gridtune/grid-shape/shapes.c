// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collapsed nests of which a thread can do one iteration at a time, and those
// whose rows are another loop's columns, get a second kernel. Its threads have
// their place from the device, and one iteration.
//
// RUN: %device %s | %tuned -pass-remarks=grid-shape \
// RUN:   -pass-remarks-missed=grid-shape 2>&1 | FileCheck %s
// RUN: %device %s | %tuned -accx-grid-shape=0 2>&1 \
// RUN:   | FileCheck --check-prefix=OFF %s

// CHECK: shapes.c:[[@LINE+2]]:1: a nest has a kernel for grids of several dimensions, with blocks of 4 rows of 64 threads
void product(int n, int m, const float *a, const float *b, float *c) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : a[ : n * m], b[ : n * m]) map(tofrom : c[ : n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < m; k++)
        s += a[i * m + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}
// Extents with bounds and steps are computed at launch as the kernel does it.
// CHECK: shapes.c:[[@LINE+2]]:1: a nest has a kernel for grids of several dimensions, with blocks of 4 rows of 64 threads
void steps(long n, long lo, const double *a, double *c) {
#pragma omp target teams distribute parallel for collapse(3) map(to : a[ : n]) \
    map(tofrom : c[ : n])
  for (long i = lo; i < n; i += 2)
    for (long j = n; j > 3; j--)
      for (unsigned k = 0; k < 77; k++)
        for (long t = 0; t < n; t++)
          c[(i * n + j) * 77 + k] += a[i + t] * a[j + t] * a[k + t];
}
// Neighbours in x read what lies rows apart, those in y what is near.
// CHECK: shapes.c:[[@LINE+2]]:1: a nest has a kernel for grids of several dimensions, with blocks of 4 rows of 64 threads
void transposed(int n, const float *a, float *c) {
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : a[ : n * n]) map(tofrom : c[ : n * n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i * n + j] = a[j * n + i];
}

// The first one's table: rows of 64 threads, four of them in a block.
// CHECK-DAG: @[[P:__omp_offloading_.*_product_l[0-9]*]]_accx_desc = weak_odr protected constant
// CHECK-DAG: @[[P]]_accx_grid_kernel_environment =
// CHECK-DAG: @[[S:__omp_offloading_.*_steps_l[0-9]*]]_accx_desc = weak_odr protected constant
// The kernel itself stays.
// CHECK-LABEL: define {{.*}}_product_l{{[0-9]*}}(
// CHECK: @llvm.nvvm.read.ptx.sreg.nctaid.x
// CHECK-LABEL: define {{.*}}_product_l{{[0-9]*}}_accx_grid(
// CHECK-NOT: {{udiv|urem}}
// CHECK: @llvm.nvvm.read.ptx.sreg.ctaid.x
// CHECK: @llvm.nvvm.read.ptx.sreg.ctaid.y
// CHECK-NOT: {{udiv|urem}}
// CHECK-LABEL: define {{.*}}_steps_l{{[0-9]*}}_accx_grid(
// CHECK: @llvm.nvvm.read.ptx.sreg.ctaid.z
// CHECK-NOT: {{udiv|urem|nctaid}}
// CHECK-LABEL: define {{.*}}_transposed_l{{[0-9]*}}_accx_grid(
// CHECK-NOT: {{udiv|urem|nctaid}}
// CHECK: @llvm.nvvm.read.ptx.sreg.ctaid.y
// CHECK-NOT: {{udiv|urem|nctaid}}
// CHECK-DAG: !{ptr @[[P]]_accx_grid, !"maxntidx", i32 256}
// CHECK-DAG: !{ptr @[[P]]_accx_grid, !"kernel", i32 1}
// As many registers as in the kernel's largest blocks.
// CHECK-DAG: !{ptr @[[P]], !"maxntidx", i32 1024}
// CHECK-DAG: !{ptr @[[P]]_accx_grid, !"minctasm", i32 4}
// OFF-NOT: _accx_grid
