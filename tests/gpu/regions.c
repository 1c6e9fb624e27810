// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Target regions of every execution mode: loops of many lengths, reductions of
// many types, generic regions, nested parallelism, clauses that fix the shape.

#include "check.h"

#include <math.h>
#include <omp.h>
#include <string.h>

static void saxpy(int n) {
  float *x = malloc(sizeof(float) * n), *y = malloc(sizeof(float) * n);
  for (int i = 0; i < n; ++i) {
    x[i] = i % 1000;
    y[i] = 1;
  }
#pragma omp target teams distribute parallel for map(to : x[0 : n])            \
    map(tofrom : y[0 : n])
  for (int i = 0; i < n; ++i)
    y[i] += 2 * x[i];
  int bad = 0;
  for (int i = 0; i < n; ++i)
    bad += y[i] != 1 + 2 * (float)(i % 1000);
  CHECK(bad == 0);
  free(x);
  free(y);
}

static void reductions(int n) {
  int *a = malloc(sizeof(int) * n);
  double *d = malloc(sizeof(double) * n);
  long expected = 0;
  double expectedD = 0;
  int low = 1 << 30, high = -(1 << 30);
  for (int i = 0; i < n; ++i) {
    a[i] = (i * 7919) % 1003 - 500;
    d[i] = a[i] * 0.5;
    expected += a[i];
    expectedD += d[i];
    low = a[i] < low ? a[i] : low;
    high = a[i] > high ? a[i] : high;
  }
  long sum = 5;
  double sumD = 1;
  int least = 1 << 30, most = -(1 << 30);
#pragma omp target teams distribute parallel for reduction(+ : sum, sumD)      \
    reduction(min : least) reduction(max : most) map(to : a[0 : n], d[0 : n])  \
    map(tofrom : sum, sumD, least, most)
  for (int i = 0; i < n; ++i) {
    sum += a[i];
    sumD += d[i];
    least = a[i] < least ? a[i] : least;
    most = a[i] > most ? a[i] : most;
  }
  CHECK(sum == expected + 5);
  CHECK(fabs(sumD - expectedD - 1) < 1e-6 * (fabs(expectedD) + 1));
  CHECK(least == low);
  CHECK(most == high);

  // Many launches on one queue: each must find its counters zero.
#pragma omp target data map(to : a[0 : n])
  for (int round = 0; round < 1200; ++round) {
    long again = round;
#pragma omp target teams distribute parallel for reduction(+ : again)
    for (int i = 0; i < (n < 5000 ? n : 5000); ++i)
      again += a[i];
    long host = round;
    for (int i = 0; i < (n < 5000 ? n : 5000); ++i)
      host += a[i];
    CHECK(again == host);
    if (again != host)
      break;
  }
  free(a);
  free(d);
}

static void manyTeams(void) {
  // More teams than a reduction buffer has slots.
  long sum = 0;
#pragma omp target teams distribute parallel for num_teams(5000)               \
    thread_limit(64) reduction(+ : sum) map(tofrom : sum)
  for (int i = 0; i < 3000000; ++i)
    sum += i & 3;
  CHECK(sum == 4500000);
}

static void largeReduction(void) {
  enum { Columns = 48 };
  double sums[Columns] = {0};
#pragma omp target teams distribute parallel for reduction(+ : sums)           \
    map(tofrom : sums)
  for (int i = 0; i < 100000; ++i)
    for (int c = 0; c < Columns; ++c)
      sums[c] += c;
  for (int c = 0; c < Columns; ++c)
    CHECK(sums[c] == 100000.0 * c);
}

static void generic(void) {
  enum { Rows = 300, Columns = 257 };
  static int m[Rows][Columns];
  static int total[Rows];
#pragma omp target teams distribute map(from : m, total)
  for (int r = 0; r < Rows; ++r) {
    int base = r * 10;
#pragma omp parallel for
    for (int c = 0; c < Columns; ++c)
      m[r][c] = base + c;
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int c = 0; c < Columns; ++c)
      sum += m[r][c];
    total[r] = sum;
  }
  int bad = 0;
  for (int r = 0; r < Rows; ++r) {
    int sum = 0;
    for (int c = 0; c < Columns; ++c) {
      bad += m[r][c] != r * 10 + c;
      sum += m[r][c];
    }
    bad += total[r] != sum;
  }
  CHECK(bad == 0);
}

static void sequentialAndParallel(void) {
  int before = 0, inside = 0, after = 0, threads = 0;
#pragma omp target map(from : before, after, threads) map(tofrom : inside)
  {
    before = omp_get_num_threads();
#pragma omp parallel
    {
#pragma omp atomic
      inside += 1;
#pragma omp single
      threads = omp_get_num_threads();
    }
    after = omp_get_num_threads();
  }
  CHECK(before == 1 && after == 1);
  CHECK(threads >= 1 && inside == threads);
}

static void shape(void) {
  int teams = 0, limit = 0, threads = 0;
#pragma omp target teams num_teams(17) thread_limit(96)                        \
    map(from : teams, limit, threads)
  {
#pragma omp parallel
    if (omp_get_team_num() == 0 && omp_get_thread_num() == 0) {
      teams = omp_get_num_teams();
      threads = omp_get_num_threads();
    }
    if (omp_get_team_num() == 0)
      limit = omp_get_thread_limit();
  }
  CHECK(teams == 17);
  CHECK(threads >= 1 && threads <= 96);
  CHECK(limit >= 1 && limit <= 128);

  static int covered[1000];
  memset(covered, 0, sizeof(covered));
#pragma omp target teams distribute parallel for collapse(3)                   \
    map(tofrom : covered) num_teams(3)
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j)
      for (int k = 0; k < 10; ++k)
        covered[i * 100 + j * 10 + k] += 1;
  int bad = 0;
  for (int i = 0; i < 1000; ++i)
    bad += covered[i] != 1;
  CHECK(bad == 0);
}

static void manyArguments(void) {
  int v[70];
  for (int i = 0; i < 70; ++i)
    v[i] = i;
  int a = 1, b = 2, c = 3;
  double x = 0.5;
  char big[6000];
  memset(big, 7, sizeof(big));
  long out = 0;
#pragma omp target map(from : out) firstprivate(a, b, c, x, big) map(to : v)
  {
    long sum = a + b + c + (long)(2 * x);
    for (int i = 0; i < 70; ++i)
      sum += v[i];
    for (int i = 0; i < 6000; ++i)
      sum += big[i];
    out = sum;
  }
  CHECK(out == 7 + 69 * 35 + 42000);
}

int main(void) {
  CHECK(omp_get_num_devices() > 0);
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  CHECK(!host);

  const int sizes[] = {1,    31,    32,     33,     127,     128,     129,
                       1000, 10000, 102399, 102400, 1000003, 20000000};
  for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i)
    saxpy(sizes[i]);
  reductions(1);
  reductions(777);
  reductions(3000000);
  manyTeams();
  largeReduction();
  generic();
  sequentialAndParallel();
  shape();
  manyArguments();
  return verdict();
}
