// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions of any size give the same, on one thread and on several: sums, last
// values, what only one thread may do at a time, and loops of every kind of
// counter.
//
// RUN: %host -O2 %s -o %t -Rpass=small-regions 2>&1 | FileCheck %s
// RUN: %t
// RUN: env OMP_NUM_THREADS=1 %t
// RUN: env OMP_NUM_THREADS=5 %t
// RUN: env OMP_NUM_TEAMS=2 %t
// RUN: %host -g -O3 -march=native %s -o %t
// RUN: %t

// CHECK-COUNT-6: remark: the region runs on one thread
#include <stdio.h>
#include <stdlib.h>

static int wrong;

static void expect(const char *what, long n, long got, long want) {
  if (got != want) {
    printf("%s of %ld: %ld, not %ld\n", what, n, got, want);
    wrong = 1;
  }
}

static void check(long n) {
  int *a = malloc(sizeof(int) * (n + 1));
  for (int i = 0; i <= n; ++i)
    a[i] = i;
  long sum = 5;
  int last = -1, most = -1, small = n;
#pragma omp target teams distribute parallel for map(a[ : n + 1])              \
    reduction(+ : sum) map(tofrom : sum)
  for (int i = 0; i < n; ++i) {
    a[i] += 3;
    sum += a[i];
  }
  expect("sum", n, sum, 5 + 3l * n + n * (n - 1) / 2);
#pragma omp target parallel for map(a[ : n + 1]) lastprivate(last)             \
    map(tofrom : last)
  for (long i = 0; i < n; ++i)
    last = a[i];
  expect("last", n, last, n ? n + 2 : -1);
#pragma omp target parallel for map(a[ : n + 1]) map(tofrom : most)
  for (unsigned long i = 0; i < (unsigned long)n; ++i)
#pragma omp critical
    if (a[i] > most)
      most = a[i];
  expect("most", n, most, n ? n + 2 : -1);
  // Down, with steps, and with a counter that wraps where it is signed.
#pragma omp target teams distribute parallel for map(a[ : n + 1])
  for (unsigned i = n; i > 0; --i)
    a[i - 1] -= 3;
#pragma omp target teams distribute parallel for map(a[ : n + 1])
  for (int i = 0; i < small; i += 3)
    a[i] += 7;
  int bad = 0;
  for (int i = 0; i <= n; ++i)
    bad += a[i] != i + (i < n && i % 3 == 0 ? 7 : 0);
  expect("wrong", n, bad, 0);
  // Two loops of one region, the second reads what the first made.
#pragma omp target parallel map(a[ : n + 1])
  {
#pragma omp for
    for (int i = 0; i < small; ++i)
      a[i] = 2 * i;
#pragma omp for
    for (int i = 0; i < small; ++i)
      a[i] += a[small - 1 - i] == 2 * (small - 1 - i) ||
              a[small - 1 - i] == 2 * (small - 1 - i) + 1;
  }
  bad = 0;
  for (int i = 0; i < n; ++i)
    bad += a[i] != 2 * i + 1;
  expect("second", n, bad, 0);
  // More for each iteration.
  long work = 0;
#pragma omp target teams distribute parallel for collapse(2)                   \
    reduction(+ : work) map(tofrom : work)
  for (int i = 0; i < small; ++i)
    for (int k = 0; k < 5; ++k)
      work += i % 5 == k;
  expect("pairs", n, work, n);
  free(a);
}

int main(void) {
  for (int round = 0; round < 3; ++round) {
    for (long n = 0; n < 70; ++n)
      check(n);
    for (long n = 100; n < 30000; n += n / 2)
      check(n);
  }
  return wrong;
}
