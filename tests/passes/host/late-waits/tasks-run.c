// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many target tasks run without libomp, and that results are those of the
// dependences: chains, tasks beside them, tasks of the host, data that is not
// present, conditions, functions that return before their tasks end, threads.
//
// RUN: %program -O2 %s -o %t
// RUN: env ACCX_STATS=1 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-NONE
// RUN: env ACCX_STATS=1 ACCX_SYNC=0 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-DIRECT
// RUN: %fault ACCX_FAULT_OPTIONS=async,delay=100 ACCX_STATS=1 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-DIRECT
// RUN: %fault ACCX_FAULT_OPTIONS=async,delay=100 LIBOMP_USE_HIDDEN_HELPER_TASK=0 ACCX_STATS=1 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-DIRECT
// RUN: env ACCX_STATS=1 ACCX_SYNC=1 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-NONE
// CHECK: right
// CHECK-NONE: late_regions=0
// 50 of chain(), 2 of beside(), 3 of host(), 2 of returning(), 1 of readers(),
// 3 of between().
// CHECK-DIRECT: late_regions=61{{ }}
#include <omp.h>
#include <stdio.h>

enum { N = 1000 };
static double a[N], b[N], c[N];
static int wrong;

static void expect(const char *what, double got, double want) {
  if (got != want) {
    printf("%s: %g, not %g\n", what, got, want);
    ++wrong;
  }
}

/* a is 0, 1, 2, ..., b twice as much, both present. */
static void begin(void) {
  for (int i = 0; i < N; ++i) {
    a[i] = c[i] = i;
    b[i] = 2 * i;
  }
#pragma omp target enter data map(to : a, b)
}

static void end(void) {
#pragma omp target exit data map(from : a, b)
}

/* The next one starts where the one before ended: no task of libomp's. */
static void chain(void) {
  begin();
  for (int t = 0; t < 50; ++t) {
#pragma omp target teams distribute parallel for nowait depend(inout : a[0])   \
    map(a)
    for (int i = 0; i < N; ++i)
      a[i] = a[i] / 2 + t;
  }
#pragma omp taskwait
  end();
  for (int i = 0; i < N; ++i) {
    double want = i;
    for (int t = 0; t < 50; ++t)
      want = want / 2 + t;
    expect("chain", a[i], want);
  }
}

/* Each second task may run beside the first: all are libomp's, up to the wait
   for them. */
static void beside(void) {
  begin();
  for (int t = 0; t < 2; ++t) {
    for (int s = 0; s < 3; ++s) {
#pragma omp target nowait depend(inout : a[0]) map(a)
      for (int i = 0; i < N; ++i)
        a[i] = a[i] * 3 + s;
#pragma omp target nowait depend(inout : b[0]) map(b)
      for (int i = 0; i < N; ++i)
        b[i] = b[i] * 5 + s;
    }
#pragma omp taskwait
  }
  end();
  for (int i = 0; i < N; ++i) {
    double x = i, y = 2 * i;
    for (int t = 0; t < 6; ++t) {
      x = x * 3 + t % 3;
      y = y * 5 + t % 3;
    }
    expect("beside a", a[i], x);
    expect("beside b", b[i], y);
  }
}

/* Others depend on the end of a chain. */
static void host(void) {
  double sum = 0;
  begin();
  for (int t = 0; t < 3; ++t) {
#pragma omp target nowait depend(inout : a[0]) map(a)
    for (int i = 0; i < N; ++i)
      a[i] += i + t;
  }
#pragma omp target update from(a) nowait depend(inout : a[0])
#pragma omp task depend(in : a[0]) depend(out : c[0])
  for (int i = 0; i < N; ++i)
    c[i] = a[i] + 1;
#pragma omp target nowait depend(inout : a[0]) map(a)
  for (int i = 0; i < N; ++i)
    a[i] = -1;
#pragma omp taskwait
  end();
  for (int i = 0; i < N; ++i) {
    expect("host a", a[i], -1);
    expect("host c", c[i], 4 * i + 4);
  }
}

__attribute__((noinline)) void twice(double *p, int k) {
#pragma omp target nowait depend(inout : p[0]) map(p[ : N])
  for (int i = 0; i < N; ++i)
    p[i] = p[i] * 2 + k;
#pragma omp target nowait depend(inout : p[0]) map(p[ : N])
  for (int i = 0; i < N; ++i)
    p[i] = p[i] * 3 + k;
}

/* Whoever calls a function may depend on its tasks. */
static void (*volatile call)(double *, int) = twice;
static void returning(void) {
  begin();
  call(a, 1);
  call(a, 2);
#pragma omp taskwait
  end();
  for (int i = 0; i < N; ++i)
    expect("returning", a[i], ((i * 2 + 1) * 3 + 1) * 6 + 8);
}

/* Both may read at once. */
static void readers(void) {
  begin();
#pragma omp target nowait depend(in : a[0]) depend(out : b[0]) map(a, b)
  for (int i = 0; i < N; ++i)
    b[i] = a[i];
#pragma omp target nowait depend(in : a[0]) depend(out : c[0]) map(a)          \
    map(tofrom : c)
  for (int i = 0; i < N; ++i)
    c[i] += a[i];
#pragma omp target nowait depend(in : b[0], c[0]) depend(inout : a[0])         \
    map(a, b) map(to : c)
  for (int i = 0; i < N; ++i)
    a[i] += b[i] + c[i];
#pragma omp taskwait
  end();
  for (int i = 0; i < N; ++i)
    expect("readers", a[i], 4 * i);
}

/* A region that its thread waits for, later. */
static void between(void) {
  begin();
#pragma omp target nowait depend(inout : a[0]) map(a)
  for (int i = 0; i < N; ++i)
    a[i] += 1;
#pragma omp target map(b)
  for (int i = 0; i < N; ++i)
    b[i] += 1;
#pragma omp target nowait depend(inout : a[0]) map(a)
  for (int i = 0; i < N; ++i)
    a[i] *= 2;
#pragma omp taskwait
  end();
  for (int i = 0; i < N; ++i) {
    expect("between a", a[i], 2 * i + 2);
    expect("between b", b[i], 2 * i + 1);
  }
}

/* Nothing of these can be under way when the next statement begins, or may be:
   what is not present, what runs on the host, what other threads run. */
static void none(int here) {
  for (int i = 0; i < N; ++i)
    a[i] = i;
  for (int t = 0; t < 3; ++t) {
#pragma omp target nowait depend(inout : a[0]) map(tofrom : a)
    for (int i = 0; i < N; ++i)
      a[i] += i + t;
#pragma omp target nowait depend(inout : a[0]) map(tofrom : a) if (here)
    for (int i = 0; i < N; ++i)
      a[i] *= 2;
#pragma omp target nowait depend(inout : a[0]) map(tofrom : a)                 \
    device(omp_get_initial_device())
    for (int i = 0; i < N; ++i)
      a[i] -= 1;
  }
#pragma omp taskwait
  for (int i = 0; i < N; ++i) {
    double want = i;
    for (int t = 0; t < 3; ++t)
      want = (want + i + t) * 2 - 1;
    expect("none", a[i], want);
  }
  begin();
#pragma omp parallel num_threads(2)
  {
    double *p = omp_get_thread_num() ? b : a;
    for (int t = 0; t < 5; ++t) {
#pragma omp target nowait depend(inout : p[0]) map(p[ : N])
      for (int i = 0; i < N; ++i)
        p[i] = p[i] / 2 + t;
    }
  }
  end();
  for (int i = 0; i < N; ++i) {
    double x = i, y = 2 * i;
    for (int t = 0; t < 5; ++t) {
      x = x / 2 + t;
      y = y / 2 + t;
    }
    expect("threads a", a[i], x);
    expect("threads b", b[i], y);
  }
}

int main(void) {
  chain();
  beside();
  host();
  returning();
  readers();
  between();
  none(0);
  if (!wrong)
    fprintf(stderr, "right\n");
  return wrong != 0;
}
