// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops for processors alone: gangs take all threads. Without the argument the
// plan is that of a GPU, whatever the target, so that all compilations agree.
//
// RUN: %accx_print -fplugin-arg-accx-processor %s | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: %accx_print %s | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: %accx_print --target=x86_64-pc-linux-gnu -Xclang -fopenmp-is-target-device %s \
// RUN:   | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: not %accx_syntax -fplugin-arg-accx-cpu %s 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: %accxcc --accx-targets=host --accx-show -c %s | FileCheck %s --check-prefix=DRIVER

// BAD: error: unknown argument 'cpu' of plugin accx
// DRIVER: -fplugin-arg-accx-processor

// CHECK-LABEL: rows(
// CPU: #pragma omp target teams distribute parallel for num_teams
// CPU-NOT: #pragma omp
// GPU: #pragma omp target teams distribute num_teams(__accx_gangs(0))
// GPU: #pragma omp parallel for reduction(+: Sum)
void rows(int N, int M, float *A, float *B) {
#pragma acc parallel loop gang
  for (int I = 0; I < N; ++I) {
    float Sum = 0;
#pragma acc loop vector reduction(+ : Sum)
    for (int J = 0; J < M; ++J)
      Sum += A[I * M + J];
    B[I] = Sum;
  }
}
