// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing is said of OpenMP programs that are right.
// RUN: %accxcxx -Wall -Werror -c %s -o %t 2>&1 | FileCheck %s --allow-empty
// CHECK-NOT: warning

// clang-format off
#include <cstdio>
#include <omp.h>
#define N 1000
static double a[N], total;
#pragma omp declare target to(total)
template <class T> T sum(const T *p, int n) {
  T s = 0;
#pragma omp target teams distribute parallel for reduction(+: s) map(to: p[0:n])
  for (int i = 0; i < n; ++i) s += p[i];
  return s;
}
int main() {
  double t = 0, u = 0, v = 1, w = 2, x = 0;
  int i, j, k = 0;
#pragma omp target teams distribute parallel for map(tofrom: a) private(j)
  for (i = 0; i < N; ++i)
    for (j = 0; j < 3; ++j) { t = i; a[i] += t * v; }
  for (i = 0; i < 3; ++i) t = a[i];
#pragma omp target map(tofrom: u)
  {
    u = 1;
    w = 3;
    double inner = u;
    inner += 1;
    a[0] = inner;
  }
  w = 5;
#pragma omp target data map(tofrom: x)
  {
#pragma omp target map(tofrom: x)
    x += 1;
#pragma omp target teams distribute parallel for map(x) reduction(+: x)
    for (int n = 0; n < N; ++n) x += 1;
  }
#pragma omp target defaultmap(tofrom: scalar)
  k = 7;
#pragma omp target teams num_teams(4) map(from: a)
  for (int n = omp_get_team_num(); n < N; n += omp_get_num_teams()) a[n] = n;
#pragma omp target
  total += 1;
  std::printf("%g %g %g %g %d %d %g %g\n", t, u, w, x, k, i, sum(a, N), total);
}
