// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous constructs: chains of nowait regions, nowait data and updates,
// and many host threads that share one device.

#include "check.h"

#include <omp.h>

static void chain(int n, int links) {
  int *a = calloc(n, sizeof(int));
#pragma omp target data map(tofrom : a[0 : n])
#pragma omp parallel
#pragma omp single
  {
    for (int l = 0; l < links; ++l) {
#pragma omp target teams distribute parallel for nowait depend(inout : a[0])
      for (int i = 0; i < n; ++i)
        a[i] = a[i] * 2 + l % 2;
    }
  }
  int expected = 0;
  for (int l = 0; l < links; ++l)
    expected = (int)((unsigned)expected * 2u + l % 2);
  int bad = 0;
  for (int i = 0; i < n; ++i)
    bad += a[i] != expected;
  CHECK(bad == 0);
  free(a);
}

static void pipeline(void) {
  enum { Blocks = 40, Size = 20000 };
  int *a = malloc(sizeof(int) * Blocks * Size);
  for (int i = 0; i < Blocks * Size; ++i)
    a[i] = i;
#pragma omp parallel
#pragma omp single
  for (int b = 0; b < Blocks; ++b) {
    int *p = a + b * Size;
#pragma omp target enter data map(to : p[0 : Size]) nowait depend(out : p[0])
#pragma omp target teams distribute parallel for nowait depend(inout : p[0])
    for (int i = 0; i < Size; ++i)
      p[i] *= 3;
#pragma omp target update from(p[0 : Size]) nowait depend(inout : p[0])
#pragma omp target exit data map(release : p[0 : Size])                        \
    nowait depend(inout : p[0])
  }
  int bad = 0;
  for (int i = 0; i < Blocks * Size; ++i)
    bad += a[i] != 3 * i;
  CHECK(bad == 0);
  free(a);
}

static void threads(int count) {
  int bad = 0;
#pragma omp parallel num_threads(count) reduction(+ : bad)
  {
    const int me = omp_get_thread_num(), n = 5000 + 100 * me;
    int *a = malloc(sizeof(int) * n);
    for (int round = 0; round < 60; ++round) {
      for (int i = 0; i < n; ++i)
        a[i] = i + me;
      long sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)            \
    map(tofrom : a[0 : n])
      for (int i = 0; i < n; ++i) {
        a[i] += round;
        sum += a[i];
      }
      long expected = 0;
      for (int i = 0; i < n; ++i) {
        expected += i + me + round;
        bad += a[i] != i + me + round;
      }
      bad += sum != expected;
    }
    free(a);
  }
  CHECK(bad == 0);
}

int main(void) {
  chain(1000, 200);
  pipeline();
  threads(10);
  return verdict();
}
