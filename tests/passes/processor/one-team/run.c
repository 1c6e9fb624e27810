// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, last values and nested regions are the same with a league and without,
// whatever numbers of teams and threads the user asks for.
//
// RUN: %host -O2 %s -o %t
// RUN: %t
// RUN: env OMP_NUM_TEAMS=3 %t
// RUN: env OMP_TEAMS_THREAD_LIMIT=1 %t
// RUN: env OMP_NUM_THREADS=5 %t
// RUN: env OMP_NUM_THREADS=1 %t
// RUN: env OMP_THREAD_LIMIT=1 %t
// RUN: env OMP_DYNAMIC=true %t
#include <stdio.h>
#include <stdlib.h>

static int wrong;

static void expect(const char *what, int n, long got, long want) {
  if (got != want) {
    printf("%s of %d: %ld, not %ld\n", what, n, got, want);
    wrong = 1;
  }
}

static void check(int n) {
  int *a = malloc(sizeof(int) * (n + 1));
  for (int i = 0; i <= n; ++i)
    a[i] = i;
  long sum = 5;
  int last = -1;
#pragma omp target teams distribute parallel for map(a[ : n + 1])              \
    reduction(+ : sum) map(tofrom : sum) thread_limit(256)
  for (int i = 0; i < n; ++i) {
    a[i] += 3;
    sum += a[i];
  }
  expect("sum", n, sum, 5 + 3l * n + (long)n * (n - 1) / 2);
#pragma omp target teams distribute parallel for map(a[ : n + 1])              \
    lastprivate(last) map(tofrom : last)
  for (int i = 0; i < n; ++i)
    last = a[i];
  expect("last", n, last, n ? n + 2 : -1);
  // A loop of the league, with regions inside, and one of its own thread.
#pragma omp target teams distribute map(a[ : n + 1])
  for (int i = 0; i < (n + 7) / 8; ++i) {
    const int end = n < 8 * i + 8 ? n : 8 * i + 8;
#pragma omp parallel for
    for (int k = 8 * i; k < end; ++k)
      a[k] -= 3;
  }
  long signs = 0;
#pragma omp target teams distribute parallel for collapse(2) map(a[ : n + 1])  \
    reduction(+ : signs) map(tofrom : signs)
  for (int i = 0; i < n; ++i)
    for (long k = 3; k > 0; --k)
      signs += a[i] == i;
  expect("same", n, signs, 3l * n);
  expect("behind", n, a[n], n);
  free(a);
}

int main(void) {
  for (int n = 0; n < 70; ++n)
    check(n);
  check(1000);
  check(100003);
  return wrong;
}
