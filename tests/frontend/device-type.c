// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device_type parts: one of them counts, and what stands in front is for all.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s --implicit-check-not="#pragma omp"

// CHECK-LABEL: sizes(
// CHECK: #pragma omp target teams distribute parallel for num_teams(__accx_gangs((2))) thread_limit((128))
// CHECK: #pragma omp target teams distribute parallel for num_teams(__accx_gangs((8))) thread_limit((4) * 32)
// CHECK: #pragma omp target teams distribute parallel for num_teams(__accx_gangs((16)))
void sizes(int N, float *A) {
#pragma acc parallel loop num_gangs(4) device_type(nvidia) num_gangs(8)        \
    vector_length(128) device_type(host) num_gangs(2)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc parallel loop device_type(*) num_gangs(8) num_workers(4)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc parallel loop dtype(nvidia, default) num_gangs(16)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}

// CHECK-LABEL: queues(
// CHECK: __accx_async_begin(2);
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: __accx_async_end();
void queues(int N, float *A) {
#pragma acc parallel loop async(1) device_type(nvidia) async(2)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}
