// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many regions are late, and that results are what they were: data that is
// present, or not, other constructs between, threads, memory that host and
// device share.
//
// RUN: %program -O2 %s -o %t
// RUN: env ACCX_STATS=1 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-NONE
// RUN: env ACCX_STATS=1 ACCX_SYNC=0 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-LATE
// RUN: env ACCX_STATS=1 ACCX_SYNC=0 ACCX_DIRECTORY=fused %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-LATE
// RUN: %fault ACCX_FAULT_OPTIONS=async,delay=100 ACCX_STATS=1 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-LATE
// RUN: %fault ACCX_FAULT_OPTIONS=async,delay=100 ACCX_SYNC=1 ACCX_STATS=1 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-NONE
// RUN: env ACCX_STATS=1 ACCX_SYNC=0 ACCX_HOST_UNIFIED=1 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-NONE
// CHECK: right
// CHECK-NONE: late_regions=0
// 600 of steps(), 100 of each thread, 1 of partly(), 300 of many().
// CHECK-LATE: late_regions=1101{{ }}
#include <omp.h>
#include <stdio.h>

enum { N = 1000 };
double a[N], b[N];
static int wrong;

static void expect(const char *what, double got, double want) {
  if (got != want) {
    printf("%s: %g, not %g\n", what, got, want);
    ++wrong;
  }
}

/* Present data: all late. */
static void steps(void) {
  double *p = a, *q = b;
  for (int i = 0; i < N; ++i)
    a[i] = b[i] = i;
#pragma omp target data map(tofrom : a, b)
  for (int t = 0; t < 300; ++t) {
#pragma omp target teams distribute parallel for map(p[ : N], q[ : N])
    for (int i = 0; i < N; ++i)
      q[i] = p[N - 1 - i] + 1;
#pragma omp target teams distribute parallel for map(p[ : N], q[ : N])
    for (int i = 0; i < N; ++i)
      p[i] += t & 1;
    double *r = p;
    p = q;
    q = r;
  }
  double want[N], other[N], *x = want, *y = other;
  for (int i = 0; i < N; ++i)
    want[i] = other[i] = i;
  for (int t = 0; t < 300; ++t) {
    for (int i = 0; i < N; ++i)
      y[i] = x[N - 1 - i] + 1;
    for (int i = 0; i < N; ++i)
      x[i] += t & 1;
    double *r = x;
    x = y;
    y = r;
  }
  for (int i = 0; i < N; ++i) {
    expect("a", a[i], want[i]);
    expect("b", b[i], other[i]);
  }
}

/* The second region maps what is not there: it waits for the first one, and
   copies. */
static void partly(double *c) {
  for (int i = 0; i < N; ++i)
    a[i] = c[i] = i;
#pragma omp target data map(tofrom : a)
  {
#pragma omp target teams distribute parallel for map(a)
    for (int i = 0; i < N; ++i)
      a[i] += 1;
#pragma omp target teams distribute parallel for map(a) map(tofrom : c[ : N])
    for (int i = 0; i < N; ++i)
      c[i] += a[i];
  }
  for (int i = 0; i < N; ++i)
    expect("c", c[i], 2 * i + 1);
}

/* More than may be under way, of values that change and large ones that are
   copied for each region. */
static void many(void) {
  struct {
    int values[3000];
  } large;
  for (int i = 0; i < 3000; ++i)
    large.values[i] = i;
  a[0] = 0;
#pragma omp target data map(tofrom : a)
  for (int t = 0; t < 300; ++t) {
#pragma omp target map(a) firstprivate(large)
    a[0] += t + large.values[t] + large.values[2999];
    large.values[2999] = t;
  }
  double want = 2999;
  for (int t = 0; t < 300; ++t)
    want += 2 * t + (t < 299 ? t : 0);
  expect("many", a[0], want);
}

int main(void) {
  double c[N];
  steps();
#pragma omp parallel num_threads(2)
  {
    double mine[N];
    for (int i = 0; i < N; ++i)
      mine[i] = omp_get_thread_num();
#pragma omp target data map(tofrom : mine)
    for (int t = 0; t < 100; ++t)
#pragma omp target teams distribute parallel for map(mine)
      for (int i = 0; i < N; ++i)
        mine[i] += i;
#pragma omp critical
    for (int i = 0; i < N; ++i)
      expect("mine", mine[i], omp_get_thread_num() + 100 * i);
  }
  partly(c);
  many();
  if (!wrong)
    fprintf(stderr, "right\n");
  return wrong != 0;
}
