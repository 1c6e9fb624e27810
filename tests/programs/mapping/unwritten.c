// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel does not write is not copied back, unless somebody else may
// have written it: values are right, and copies are counted.
//
// RUN: %accxcc -O2 -g %s -o %t
// RUN: %run %t
// RUN: %run ACCX_DIRECTORY=fused %t
// RUN: %run LIBOMPTARGET_INFO=-1 %t alone 2>&1 | FileCheck %s
// RUN: %accxcc -O0 -g %s -o %t.plain
// RUN: %run %t.plain
#include <stdio.h>
#include <string.h>

enum { N = 1000 };
struct five {
  double a, b, c, d, e;
};
static double X[N], Y[N];

// CHECK-NOT: device to host{{.*}}Name=x
// CHECK-NOT: device to host{{.*}}Name=p
// CHECK: device to host{{.*}}Size=8000, Name=y
// CHECK-NOT: device to host
static void axpy(const double *x, double *y, struct five p) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : N], y[ : N])
  for (int i = 0; i < N; i++)
    y[i] += p.a * x[i] + p.e;
}

// The kernel writes X by another name: both maps are its own.
static void overlapping(double *x, double *y) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : N - 10],    \
                                                         y[ : N - 10])
  for (int i = 0; i < N - 10; i++)
    y[i] = i + (i == 0 ? x[0] : 0);
}

// A region that writes is under way while one that reads comes and goes last.
static double together(double *x) {
  double sum = 0;
  int go = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp target enter data map(to : x[ : N])
#pragma omp target teams distribute parallel for map(tofrom : x[ : N])
    for (int i = 0; i < N; i++)
      x[i] = 2;
    go = 1;
#pragma omp target teams distribute parallel for reduction(+ : sum)            \
    map(tofrom : x[ : N], go)
    for (int i = 0; i < N; i++)
      sum += go * x[i];
#pragma omp target exit data map(from : x[ : N])
  }
  return sum;
}

// `always` means what it says.
static double always(double *x) {
  double host = 0;
#pragma omp target enter data map(to : x[ : N])
#pragma omp target
  x[3] = 77;
#pragma omp target map(always, from : x[ : N]) map(tofrom : host)
  host = x[3];
  host += x[3];
#pragma omp target exit data map(delete : x[ : N])
  return host;
}

int main(int argc, char **argv) {
  const struct five p = {2, 0, 0, 0, 1};
  for (int i = 0; i < N; i++)
    X[i] = i, Y[i] = 1;
  axpy(X, Y, p);
  int bad = 0;
  for (int i = 0; i < N; i++)
    bad += Y[i] != 2.0 * i + 2 || X[i] != i;
  if (argc > 1)
    return bad;
  overlapping(X, X + 10);
  for (int i = 0; i < N; i++)
    bad += X[i] != (i < 10 ? i : i - 10);
  bad += together(X) != 2.0 * N;
  for (int i = 0; i < N; i++)
    bad += X[i] != 2;
  bad += always(X) != 154;
  if (bad)
    printf("%d wrong\n", bad);
  return bad != 0;
}
