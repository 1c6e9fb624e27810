// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that add to one place in memory keep it in a register where it lies
// apart from what else they access, and give the same where it does not.
//
// RUN: %device %s | opt -load-pass-plugin=%accx_plugin '-passes=default<O2>' -verify-each -S -pass-remarks=checked-promotion -pass-remarks-missed=checked-promotion -o %t.ll 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not=remark: < %t.remarks
// RUN: FileCheck %s < %t.ll
// RUN: %device %s | opt -load-pass-plugin=%accx_plugin -accx-checked-promotion=0 '-passes=default<O2>' -S -pass-remarks=checked-promotion 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: %device %s | opt -load-pass-plugin=%accx_plugin '-passes=default<Os>' -S -pass-remarks=checked-promotion 2>&1 | FileCheck %s --check-prefix=OFF
// OFF-NOT: a loop keeps
// RUN: %device %s | opt -load-pass-plugin=%accx_plugin '-passes=default<O2>' -unroll-runtime=0 | opt -load-pass-plugin=%accx_plugin -passes=checked-promotion,verify -disable-output -pass-remarks=checked-promotion 2>&1 | FileCheck %s --check-prefix=OFF --allow-empty
// RUN: %simt %s %t && %t | FileCheck %s --check-prefix=RAN
// RAN: right
// clang-format off
extern int printf(const char *, ...);
enum { N = 37, M = 29, K = 41, Most = 4 * N * K };

// The version that stores once has no store in its loop.
// REMARK: remark: {{.*}}promoted.c:[[#@LINE+8]]:7: a loop keeps 1 place that it stores to in registers where 2 comparisons of addresses allow it
// CHECK-LABEL: define {{.*}}_product_l{{[0-9]*}}(
// CHECK: .touching:
static void product(int n, int m, int k, const int *a, const int *b, int *c) {
#pragma omp target teams distribute parallel for collapse(2) map(alloc : a[ : n * k], b[ : k * m], c[ : n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      c[i * m + j] *= 3;
      for (int t = 0; t < k; t++)
        c[i * m + j] += a[i * k + t] * b[t * m + j];
    }
}
// Down a column, and along a row, backwards.
// REMARK: remark: {{.*}}promoted.c:[[#@LINE+4]]:5: a loop keeps 1 place that it stores to in registers where 2 comparisons of addresses allow it
static void vector(int n, int k, const int *a, const int *x, int *y) {
#pragma omp target teams distribute parallel for map(alloc : a[ : n * k], x[ : k], y[ : n])
  for (int i = 0; i < n; i++)
    for (int t = k - 1; t >= 0; t--)
      y[i] += a[t * n + i] * x[t];
}
// Of one array, below and above the place.
// REMARK: remark: {{.*}}promoted.c:[[#@LINE+4]]:5: a loop keeps 1 place that it stores to in registers where 1 comparison of addresses allow it
static void own(int n, int k, int *a) {
#pragma omp target teams distribute parallel for map(alloc : a[ : n * (k + 1)])
  for (int i = 0; i < n; i++)
    for (int t = 0; t < k; t++)
      a[i] += a[n + i * k + t];
}
// The loop stores to a range, too.
// REMARK: remark: {{.*}}promoted.c:[[#@LINE+4]]:5: a loop keeps 1 place that it stores to in registers where 2 comparisons of addresses allow it
static void both(int n, int k, const int *a, int *b, int *last) {
#pragma omp target teams distribute parallel for map(alloc : a[ : n * k], b[ : n * k], last[ : n])
  for (int i = 0; i < n; i++)
    for (int t = 0; t < k; t++) {
      b[i * k + t] = a[i * k + t] + last[i];
      last[i] = b[i * k + t] ^ t;
    }
}
// Two places of different arrays, and two of one.
// REMARK: remark: {{.*}}promoted.c:[[#@LINE+4]]:5: a loop keeps 2 places that it stores to in registers where 5 comparisons of addresses allow it
static void two(int n, int k, const int *a, const int *b, int *x, int *y) {
#pragma omp target teams distribute parallel for map(alloc : a[ : n * k], b[ : n * k], x[ : n], y[ : n])
  for (int i = 0; i < n; i++)
    for (int t = 0; t < k; t++) {
      x[i] += a[i * k + t];
      y[i] += b[i * k + t] ^ t;
    }
}
// REMARK: remark: {{.*}}promoted.c:[[#@LINE+4]]:5: a loop keeps 1 place that it stores to in registers where 1 comparison of addresses allow it
static void pair(long n, long k, const int *a, int *z) {
#pragma omp target teams distribute parallel for map(alloc : a[ : 2 * n * k], z[ : 2 * n])
  for (long i = 0; i < n; i++)
    for (long t = 0; t < k; t++) {
      z[2 * i] += a[2 * (i * k + t)];
      z[2 * i + 1] -= a[2 * (i * k + t) + 1];
    }
}
// What some iterations do only, at a place that stays.
// REMARK: remark: {{.*}}promoted.c:[[#@LINE+4]]:5: a loop keeps 2 places that it stores to in registers where 5 comparisons of addresses allow it
static void counted(int n, int k, int by, const int *a, int *s) {
#pragma omp target teams distribute parallel for map(alloc : a[ : n * k], s[ : 1])
  for (int i = 0; i < n; i++)
    for (int t = 0; t < k; t++) {
      if (a[i * k + t] > 3)
        s[2 * by + i] += 1;
      s[i] += a[i * k + t];
      s[by + i] ^= a[i * k + t];
    }
}
// What it reads lies anywhere.
// REMARK: remark: {{.*}}promoted.c:[[#@LINE+4]]:5: a loop stores to one place in each iteration: what it accesses is no range that is known ahead of it
static void anywhere(int n, int k, const int *a, const int *at, int *y) {
#pragma omp target teams distribute parallel for map(alloc : a[ : k], at[ : n * k], y[ : n])
  for (int i = 0; i < n; i++)
    for (int t = 0; t < k; t++)
      y[i] += a[at[i * k + t]];
}
// No place in each iteration; atomic; volatile.
// Last comes the kernel for grids of the product.
// REMARK: remark: {{.*}}promoted.c:{{[0-9]+}}:7: a loop keeps 1 place
static void others(int n, int k, const int *a, int *y, volatile int *z) {
#pragma omp target teams distribute parallel for map(alloc : a[ : n * k], y[ : n], z[ : n])
  for (int i = 0; i < n; i++) {
    for (int t = 0; t < k; t++)
      if (a[i * k + t] & 1)
        y[i] += a[i * k + t];
    for (int t = 0; t < k; t++)
      z[i] += a[i * k + t];
    for (int t = 0; t < k; t++) {
#pragma omp atomic
      y[i] += a[i * k + t];
    }
  }
}

static int Wrong;
static int Cells[Most], Want[Most];

static void fill(void) {
  for (int i = 0; i < Most; i++)
    Want[i] = Cells[i] = i * 7 % 23 - 9;
#pragma omp target update to(Cells)
}
static void check(const char *What) {
  int Bad = 0;
#pragma omp target update from(Cells)
  for (int i = 0; i < Most; i++)
    Bad += Cells[i] != Want[i];
  if (Bad)
    printf("%s: %d wrong\n", What, Bad);
  Wrong |= Bad;
}

int main(void) {
  // Where c lies: apart, at a's begin, in the middle of b, one place short of
  // it. A thread's result that others read is the host's order's only where
  // one thread has all, as in `own` and in what comes last.
#pragma omp target enter data map(alloc : Cells)
  int *a = Cells, *b = Cells + N * K, *c = Cells + N * K + K * M;
  fill();
  product(N, M, K, a, b, c);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      int *w = Want + (c - Cells) + i * M + j;
      *w *= 3;
      for (int t = 0; t < K; t++)
        *w += Want[i * K + t] * Want[N * K + t * M + j];
    }
  check("product");
  for (int Shift = -3; Shift <= K + 2; Shift++) {
    // One row and one column: y lies in x, or in a, or beside them.
    fill();
    int *x = Cells + 100, *y = x + Shift, *m = Cells + 300;
    vector(1, K, m, x, y);
    for (int t = K - 1; t >= 0; t--)
      Want[100 + Shift] += Want[300 + t] * Want[100 + t];
    check("vector, x");
    fill();
    vector(1, K, x, m, y);
    for (int t = K - 1; t >= 0; t--)
      Want[100 + Shift] += Want[100 + t] * Want[300 + t];
    check("vector, a");
    fill();
    both(1, K, m, x, y);
    for (int t = 0; t < K; t++) {
      Want[100 + t] = Want[300 + t] + Want[100 + Shift];
      Want[100 + Shift] = Want[100 + t] ^ t;
    }
    check("both");
    fill();
    product(1, 1, K, x, m, y);
    Want[100 + Shift] *= 3;
    for (int t = 0; t < K; t++)
      Want[100 + Shift] += Want[100 + t] * Want[300 + t];
    check("product of vectors");
    fill();
    two(1, K, m, x, Cells + 500, y);
    for (int t = 0; t < K; t++) {
      Want[500] += Want[300 + t];
      Want[100 + Shift] += Want[100 + t] ^ t;
    }
    check("two, b");
    fill();
    two(1, K, m, m, Cells + 100, Cells + 100 + Shift);
    for (int t = 0; t < K; t++) {
      Want[100] += Want[300 + t];
      Want[100 + Shift] += Want[300 + t] ^ t;
    }
    check("two, each other");
    fill();
    pair(1, K / 2, x, y);
    for (int t = 0; t < K / 2; t++) {
      Want[100 + Shift] += Want[100 + 2 * t];
      Want[101 + Shift] -= Want[101 + 2 * t];
    }
    check("pair");
    fill();
    counted(1, K, Shift, m, y);
    for (int t = 0; t < K; t++) {
      int *w = Want + 100 + Shift;
      if (Want[300 + t] > 3)
        w[2 * Shift] += 1;
      w[0] += Want[300 + t];
      w[Shift] ^= Want[300 + t];
    }
    check("counted");
  }
  fill();
  own(N, K, Cells);
  for (int i = 0; i < N; i++)
    for (int t = 0; t < K; t++)
      Want[i] += Want[N + i * K + t];
  check("own");
  fill();
  int *at = Cells + N, *y = at + N * K;
  for (int i = 0; i < N * K; i++)
    at[i] = Want[N + i] = i * 5 % N;
#pragma omp target update to(Cells)
  anywhere(N, K, Cells, at, y);
  others(N, K, Cells, y, y + N);
  for (int i = 0; i < N; i++)
    for (int t = 0; t < K; t++) {
      const int v = Want[i * K + t];
      Want[N + N * K + i] += Want[Want[N + i * K + t]] + (v & 1 ? v : 0) + v;
      Want[N + N * K + N + i] += v;
    }
  check("left alone");
  fill();
  vector(N, 0, Cells, Cells + N, Cells + 2 * N);
  check("no iteration");
  printf(Wrong ? "wrong\n" : "right\n");
  return Wrong != 0;
}
