// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nested regions that stay: they may notice that they are no regions any more.
//
// RUN: %device %s > %t.ll
// RUN: %serial-regions %t.ll -o /dev/null 2>&1 | FileCheck %s

int omp_get_level(void);
void shared(int n, float *a) {
#pragma omp for
  for (int i = 0; i < n; ++i)
    a[i] += 1;
}
#pragma omp declare target to(shared)

void kept(int n, float *a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) {
// CHECK: serial-regions-refused.c:[[@LINE+1]]:1: nested parallel region stays a call of the runtime, which one thread runs: it may ask for the number of its thread or the parallel state
#pragma omp parallel
    a[i] = omp_get_level();
// CHECK: serial-regions-refused.c:[[@LINE+1]]:1: nested parallel region stays a call of the runtime, which one thread runs: a function that it calls shares work among threads
#pragma omp parallel
    shared(n, a + i * n);
// CHECK: serial-regions-refused.c:[[@LINE+1]]:1: nested parallel region stays a call of the runtime, which one thread runs: it may ask for the number of its thread or the parallel state
#pragma omp parallel
    {
#pragma omp critical
      a[i] += 1;
    }
  }
}
// CHECK-NOT: nested parallel region
