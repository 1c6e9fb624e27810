// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with sequential parts stay as they are, beside one that does not.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK: generic.c:[[@LINE+4]]:1: {{.*}} is not made a grid-stride loop: the kernel has sequential parts that one thread of a team runs
void rows(int n, float *x) {
#pragma omp target teams map(tofrom : x[ : n * n])
  {
#pragma omp distribute
    for (int i = 0; i < n; i++) {
#pragma omp parallel for
      for (int j = 0; j < n; j++)
        x[i * n + j] += 1;
    }
  }
}
void bare(float *x) {
#pragma omp target map(tofrom : x[ : 1])
  x[0] += 1;
}
// CHECK: generic.c:[[@LINE+2]]:1: {{.*}} made a grid-stride loop
void flat(int n, float *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}

// CHECK: define internal void @{{.*}}rows{{.*}}_omp_outlined(
// CHECK: call void @__kmpc_distribute_static_init_4
// CHECK: call void @__kmpc_parallel_51
// CHECK: define internal void @{{.*}}flat{{.*}}_omp_outlined_omp_outlined(
// CHECK: %grid.iv = phi
