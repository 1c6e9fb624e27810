// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers of a team that each of its threads moves.
// RUN: %accxcc -Wall -c %s -o %t 2>&1 | FileCheck %s --implicit-check-not=warning:

// clang-format off
#include <omp.h>
#define N 1024
void shift(float *p, float *q, float *r, float *s, float *u, float *v) {
#pragma omp target teams num_teams(4) map(p[0:N], q[0:N], r[0:N], s[0:N], u[0:N])
  {
// CHECK: omp-pointer-moved.c:[[@LINE+3]]:{{.*}}each thread of the parallel region in line [[@LINE+1]] sets 'p', a pointer that they share; add 'firstprivate(p)' there
#pragma omp parallel firstprivate(q)
    {
      p += omp_get_thread_num();
      q += omp_get_thread_num();
      float *own = p;
      ++own;
      if (omp_get_thread_num() == 0)
        r += 1;
#pragma omp barrier
#pragma omp single
      s += 1;
      *own = *q + *r + *s;
// CHECK: omp-pointer-moved.c:[[@LINE+3]]:{{.*}}each thread of the parallel region in line [[@LINE-12]] sets 'u'
#pragma omp for private(v)
      for (int i = 0; i < N; ++i) {
        *u++ = i;
        v = own;
        v[i] = i;
      }
    }
  }
}
