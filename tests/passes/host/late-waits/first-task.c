// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libomp makes its helper threads at a program's first target task. LLVM 19's
// aborts when another thread starts a team meanwhile: a late region, here.
//
// RUN: %program -O2 %s -o %t
// RUN: env ACCX_SYNC=0 OMP_NUM_THREADS=2 %t | FileCheck %s
// RUN: env ACCX_SYNC=0 OMP_NUM_THREADS=2 %t | FileCheck %s
// RUN: env ACCX_SYNC=0 OMP_NUM_THREADS=2 %t | FileCheck %s
// RUN: env ACCX_SYNC=0 OMP_NUM_THREADS=2 %t | FileCheck %s
// RUN: env ACCX_SYNC=0 OMP_NUM_THREADS=2 %t | FileCheck %s
// RUN: env ACCX_SYNC=0 OMP_NUM_THREADS=2 %t | FileCheck %s
// CHECK: 8 20
#include <stdio.h>
enum { N = 64 };
long a[N], b[N];

int main(void) {
  volatile long start = 1;
  long k = start;
#pragma omp target enter data map(to : a[ : N], b[ : N])
#pragma omp target parallel for map(tofrom : a[ : N])
  for (int i = 0; i < N; ++i)
    a[i] += k;
#pragma omp target teams distribute parallel for nowait depend(inout : b[0])   \
    map(tofrom : b[ : N]) if (k & 1)
  for (int i = 0; i < N; ++i)
    b[i] = 2 * b[i] + k + i;
  start = start + k;
#pragma omp target nowait depend(inout : b[0]) map(tofrom : b[ : N])
  for (int i = 0; i < N; ++i)
    b[i] = 4 * b[i] + k + i;
#pragma omp target teams distribute parallel for nowait depend(inout : a[0])   \
    map(tofrom : a[ : N])
  for (int i = 0; i < N; ++i)
    a[i] = 4 * a[i] + k + i;
#pragma omp taskwait
#pragma omp target exit data map(from : a[ : N], b[ : N])
  printf("%ld %ld\n", a[3], b[3]);
}
