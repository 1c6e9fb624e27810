// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small struct that a kernel only reads travels with the launch, unless
// somebody else has it on the device. A small result is there when its kernel
// has been waited for. Values are right on devices with and without queues.
//
// RUN: %accxcc -O2 -g %s -o %t
// RUN: %run ACCX_STATS=1 %t alone 2>&1 | FileCheck %s
// RUN: %run %t
// RUN: %run ACCX_DIRECTORY=fused %t
// RUN: %run ACCX_SYNC=0 %t
// RUN: %run LIBOMPTARGET_INFO=-1 %t 2>&1 | FileCheck %s --check-prefix=CHECK-TOLD
// RUN: %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async,delay=200 %t
// RUN: %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async,delay=200 ACCX_STATS=1 %t alone 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECK-QUEUE
#include <omp.h>
#include <stdio.h>

enum { N = 1000, Steps = 20 };
struct five {
  double a, b, c, d, e;
};
struct list {
  long first;
  long *next;
};
static double X[N];

// All regions but the one with a sum are late, if regions can be: nothing of
// theirs is mapped. One wait for them, one for the sum; the others are the data
// construct's.
// Steps with the same values have them from one another.
// CHECK: launches=61
// CHECK-QUEUE-SAME: h2d_copies=24
// CHECK-SAME: d2h_copies=2 d2h_bytes=8008
// CHECK-QUEUE-SAME: late_regions=60 graph_kernels=0 waits=4
static double steps(double *x) {
  double sum = 0;
#pragma omp target data map(tofrom : x[ : N])
  {
    for (int t = 0; t < Steps; t++) {
      struct five p = {t, 0, 0, 0, 1};
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
        x[i] += p.a + p.e;
    }
    const struct five one = {1, 2, 3, 4, 5}, two = {5, 4, 3, 2, 1};
    for (int t = 0; t < Steps; t++) {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
        x[i] += one.a + one.d;
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
        x[i] -= two.a;
    }
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++)
      sum += x[i];
  }
  return sum;
}

// The device's own value counts.
// CHECK-TOLD: Creating new map entry {{.*}}Size=40, {{.*}}Name=p
static double present(void) {
  struct five p = {1, 2, 3, 4, 5};
  double sum = 0;
#pragma omp target data map(to : p)
  {
    p.a = 100;
#pragma omp target map(from : sum)
    sum = p.a + p.e;
  }
  return sum;
}

// What is written comes back, by whatever name.
static double written(void) {
  struct five p = {1, 2, 3, 4, 5};
  double *alias = &p.b;
#pragma omp target map(tofrom : p) map(alias[ : 0])
  alias[0] = p.a + 10;
  struct five q = {1};
#pragma omp target map(tofrom : q)
  q.e = q.a + 1;
  return p.b + q.e;
}

// A pointer in it is attached.
static long attached(void) {
  long values[] = {1, 2, 3}, sum = 0;
  struct list l = {40, values};
#pragma omp target map(to : l, l.next[ : 3]) map(from : sum)
  sum = l.first + l.next[0] + l.next[2];
  return sum;
}

// Two threads have results in parts of one array.
static int together(void) {
  enum { Each = 8 };
  static int both[2 * Each];
  int bad = 0;
  for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(2)
    {
      int *mine = both + omp_get_thread_num() * Each;
#pragma omp target map(tofrom : mine[ : Each])
      for (int i = 0; i < Each; i++)
        mine[i] += i;
    }
  }
  for (int i = 0; i < 2 * Each; i++)
    bad += both[i] != 20 * (i % Each);
  return bad;
}

// Somebody else joins while the region is under way, and leaves later.
static int joined(void) {
  int value = 1, bad = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp target map(tofrom : value)
      value += 1;
    } else {
#pragma omp target enter data map(to : value)
    }
  }
#pragma omp target update to(value)
#pragma omp target map(tofrom : value)
  value *= 10;
#pragma omp target exit data map(from : value)
  bad += value % 10 != 0;
  return bad;
}

int main(int argc, char **argv) {
  int bad = 0;
  for (int i = 0; i < N; i++)
    X[i] = i;
  const double each = Steps * (Steps + 1) / 2;
  bad += steps(X) != N * (N - 1) / 2 + N * each;
  for (int i = 0; i < N; i++)
    bad += X[i] != i + each;
  if (argc > 1)
    return bad;
  bad += present() != 6;
  bad += written() != 11 + 2;
  bad += attached() != 44;
  bad += together();
  bad += joined();
  if (bad)
    printf("%d wrong\n", bad);
  return bad != 0;
}
