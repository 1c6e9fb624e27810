// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// async and wait: queues around constructs, waits before them, and calls.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s --implicit-check-not="#pragma omp"

// CHECK-LABEL: async(
// CHECK: __accx_async_begin(-1);
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: __accx_async_end();
// CHECK: __accx_async_begin(Q + 1);
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: __accx_async_end();
// CHECK: __accx_async_begin(1);
// CHECK: #pragma omp target
// CHECK: __accx_async_end();
// CHECK: __accx_async_begin(1);
// CHECK: #pragma omp target data map(ompx_hold,to: A[0:N])
// CHECK: __accx_async_end();
// CHECK: __accx_async_begin(1);
// CHECK: #pragma omp target enter data map(to: A[0:N])
// CHECK: __accx_async_end();
// CHECK: __accx_async_begin(1);
// CHECK: #pragma omp target update from(present: A[0:N])
// CHECK: __accx_async_end();
// CHECK: __accx_async_begin(1);
// CHECK: #pragma omp target exit data map(release: A[0:N])
// CHECK: __accx_async_end();
void async(int N, float *A, int Q) {
#pragma acc parallel loop async
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc parallel loop async(Q + 1)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc serial async(1)
  A[0] = 1;
#pragma acc data copyin(A[0 : N]) async(1)
  A[0] = 1;
#pragma acc enter data copyin(A[0 : N]) async(1)
#pragma acc update self(A[0 : N]) async(1)
#pragma acc exit data delete (A[0 : N])async(1)
}

// CHECK-LABEL: waitClause(
// CHECK: __accx_acc_wait_all();
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: __accx_acc_wait(1);
// CHECK: __accx_acc_wait(2);
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: __accx_acc_wait_async(1, 3);
// CHECK: __accx_acc_wait_async(2, 3);
// CHECK: __accx_async_begin(3);
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: __accx_async_end();
// CHECK: __accx_acc_wait_all_async(3);
// CHECK: __accx_async_begin(3);
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: __accx_async_end();
// CHECK: __accx_acc_wait_async(1, -1);
// CHECK: __accx_async_begin(-1);
// CHECK: #pragma omp target update from(present: A[0:N])
// CHECK: __accx_async_end();
void waitClause(int N, float *A) {
#pragma acc parallel loop wait
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc parallel loop wait(1, 2)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc parallel loop wait(1, 2) async(3)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc parallel loop wait async(3)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma acc update self(A[0 : N]) wait(queues : 1) async
}

// CHECK-LABEL: waitDirective(
// CHECK: __accx_acc_wait_all();
// CHECK: __accx_acc_wait(1);
// CHECK: __accx_acc_wait_async(1, 3);
// CHECK: __accx_acc_wait_async(2, 3);
// CHECK: __accx_acc_wait_all_async(3);
// CHECK: __accx_acc_wait(1);
// CHECK: __accx_acc_wait(4);
void waitDirective(int C) {
#pragma acc wait
#pragma acc wait(1)
#pragma acc wait(1, 2) async(3)
#pragma acc wait async(3)
#pragma acc wait(1) if (C)
  if (C)
#pragma acc wait(4)
    C = 1;
}

// CHECK-LABEL: finalizeOnQueue(
// CHECK: __accx_async_begin(5);
// CHECK: __accx_acc_copyout_finalize_async((void *)&((A)[0]), (unsigned long)(N) * sizeof ((A)[0]), 5);
// CHECK: __accx_async_end();
void finalizeOnQueue(int N, float *A) {
#pragma acc exit data copyout(A[0 : N]) finalize async(5)
}
