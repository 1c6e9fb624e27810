// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel whose bounds change moves into a function that was there before any
// other went: NVPTX remembers what it was told of an address. None is left.
//
// RUN: %device %s > %t.ll
// RUN: opt -load-pass-plugin=%accx_plugin -S -passes=accx-spare-kernels,verify %t.ll | FileCheck %s
// CHECK-COUNT-4: declare void @accx.spare.{{[0-3]}}.[[KERNEL:__omp_offloading_.*sums_l[0-9]+]](
// RUN: opt -load-pass-plugin=%accx_plugin -S -passes=accx-spare-kernels,grid-loop,grid-nest,verify %t.ll | FileCheck %s --check-prefix=CHECK-TAKEN
// CHECK-TAKEN: define weak_odr protected void @__omp_offloading_{{.*}}sums_l
// CHECK-TAKEN-NOT: accx.spare.0.
// CHECK-TAKEN: declare void @accx.spare.1.
// RUN: opt -load-pass-plugin=%accx_plugin -S -passes=accx-spare-kernels,grid-loop,grid-nest,accx-drop-spares,verify %t.ll | FileCheck %s --check-prefix=CHECK-LEFT
// CHECK-LEFT-NOT: accx.spare
//
// All kernels of a whole compilation stay kernels.
// RUN: %python %random/random_gangs.py 92 30 --small > %t.c
// RUN: %plainclang -w -O2 -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda --offload-arch=sm_90 -nogpulib -nogpuinc --offload-device-only -Wno-unknown-cuda-version -fplugin=%accx_plugin -fpass-plugin=%accx_plugin -S %t.c -o - | FileCheck %s --check-prefix=CHECK-ENTRY
// CHECK-ENTRY-COUNT-30: {{^}}.weak .entry __omp_offloading_
void sums(int n, int m, const float *x, float *y) {
#pragma omp target teams distribute map(to : x[ : n * m]) map(from : y[ : n])
  for (int i = 0; i < n; i++) {
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < m; j++)
      s += x[i * m + j];
    y[i] = s;
  }
}
