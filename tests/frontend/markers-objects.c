// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No marker is left in what a compilation makes, for the host or the device,
// with and without optimization, and device code does have one before.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %plainclang -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -fplugin=%accx_plugin -fpass-plugin=%accx_plugin --offload-device-only -fsyntax-only -mllvm -accx-merge-levels=0 -Xclang -ast-print %s | FileCheck %s
// RUN: %plainclang -O0 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -fplugin=%accx_plugin -fpass-plugin=%accx_plugin --offload-device-only -c %s -o device0.o
// RUN: %plainclang -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -fplugin=%accx_plugin -fpass-plugin=%accx_plugin --offload-device-only -c %s -o device2.o
// RUN: %accxcc -O0 -c %s -o zero.o
// RUN: %accxcc -O2 -c %s -o two.o
// RUN: %tools/llvm-nm device0.o | FileCheck %s --check-prefix=CHECK-NM --implicit-check-not=__accx_marker
// RUN: %tools/llvm-nm device2.o | FileCheck %s --check-prefix=CHECK-NM --implicit-check-not=__accx_marker
// RUN: not grep __accx_marker zero.o two.o

// CHECK: __accx_marker_lanes_begin(
// CHECK: #pragma omp simd
// CHECK: __accx_marker_lanes_end(
// CHECK-NM: __omp_offloading_{{.*}}nested
void nested(int N, float *A) {
#pragma acc parallel loop gang worker copy(A[0 : N * N])
  for (int I = 0; I < N; ++I) {
#pragma acc loop vector
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
  }
}
