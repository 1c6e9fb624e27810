// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's share of a team-sized chunk is one iteration: it stays where it
// is.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

int omp_get_thread_num(void);

// CHECK: made a grid-stride loop{{$}}
void share(int n, int *x) {
#pragma omp target teams distribute parallel for schedule(static)              \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] = omp_get_thread_num();
}

// CHECK: %grid.iv = phi i64
