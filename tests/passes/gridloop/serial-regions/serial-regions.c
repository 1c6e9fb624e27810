// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parallel regions inside of parallel regions are code of one thread: a call of
// a function, with the whole loop, its own result, and no barrier.
//
// RUN: %device %s > %t.ll
// RUN: %serial-regions %t.ll -S -o %t.out.ll 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=CHECK-IR < %t.out.ll

// CHECK: serial-regions.c:[[@LINE+13]]:1: nested parallel region is code of the thread that runs it
// CHECK: serial-regions.c:[[@LINE+21]]:1: nested parallel region is code of the thread that runs it
// CHECK: serial-regions.c:[[@LINE+14]]:1: nested parallel region is code of the thread that runs it
// The one that remains is that of the kernel.
// CHECK-IR-COUNT-1: call void @__kmpc_parallel_51
// CHECK-IR-NOT: call void @__kmpc_parallel_51
// CHECK-IR-NOT: call i32 @__kmpc_nvptx_parallel_reduce_nowait_v2
// CHECK-IR-NOT: call void @__kmpc_barrier
// CHECK-IR-NOT: call void @__kmpc_for_static_init_{{.*}}i32 34
void sums(int n, float *a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) {
    float s = 0, last = 0;
#pragma omp parallel for reduction(+ : s) schedule(static, 4)
    for (int j = 0; j < n; ++j)
      s += a[i * n + j];
#pragma omp parallel
    {
#pragma omp for lastprivate(last) schedule(static)
      for (int j = 0; j < n; ++j)
        a[i * n + j] = last = s * j;
#pragma omp barrier
#pragma omp parallel for
      for (int j = 0; j < n; ++j)
        a[i * n + j] += last;
    }
  }
}
