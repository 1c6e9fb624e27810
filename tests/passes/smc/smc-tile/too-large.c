// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles that no block could hold stay where they are, with a remark, whatever
// says how large they are: a range, ranges of two dimensions, a range whose
// bytes no number of 64 bits counts, or a cache directive. The program runs.
//
// RUN: %device %s | %plan 2>&1 | FileCheck %s
// RUN: %host -O2 -DMAIN %s -o %t && %t

// CHECK-DAG: 'a' is not cached: it does not fit into shared memory (161024 bytes beside 0 of 45056)
// CHECK-DAG: 'b' is not cached: it does not fit into shared memory (186624 bytes beside 0 of 45056)
// CHECK-DAG: 'c' is not cached: it does not fit into shared memory (a range of 4000000000000000256 elements)
// CHECK-DAG: 'd' is not cached: it does not fit into shared memory (161024 bytes beside 0 of 45056)
void f(int n, const float *a, float *out) {
#pragma acc parallel loop copyin(a[0 : n]) copyout(out[0 : n])
  for (int i = 20000; i < n - 20000; ++i)
#pragma acc fcw FETCH_ONLY(a[i : 20000 : 20000])
    out[i] = a[i - 20000] + a[i + 20000];
}

void g(int n, const float (*b)[300], float *out) {
#pragma acc parallel loop collapse(2) copyin(b[0 : n]) copyout(out[0 : n * 300])
  for (int i = 100; i < n - 100; ++i)
    for (int j = 100; j < 200; ++j)
#pragma acc fcw FETCH_ONLY(b[i : 100 : 100][j : 100 : 100]) block(16, 16)
      out[i * 300 + j] = b[i - 100][j - 100] + b[i + 100][j + 100];
}

void h(long n, const double *c, double *out) {
#pragma acc parallel loop copyin(c[0 : n]) copyout(out[0 : n])
  for (long i = 0; i < n; ++i)
#pragma acc fcw FETCH_ONLY(c[i : 2000000000000000000 : 2000000000000000000])
    out[i] = c[i] + 1;
}

void k(int n, const float *d, float *out) {
#pragma acc parallel loop copyin(d[0 : n]) copyout(out[0 : n])
  for (int i = 20000; i < n - 20000; ++i) {
#pragma acc cache(d[i - 20000 : 40001])
    out[i] = d[i - 20000] + d[i + 20000];
  }
}

#ifdef MAIN
enum { N = 41000, M = 220 };
int main(void) {
  static float a[N], out[N], b[M][300], sums[M * 300];
  static double c[100], more[100];
  for (int i = 0; i < N; ++i)
    a[i] = (float)i;
  for (int i = 0; i < M * 300; ++i)
    b[i / 300][i % 300] = (float)(i % 1000);
  int bad = 0;
  f(N, a, out);
  for (int i = 20000; i < N - 20000; ++i)
    bad |= out[i] != (float)(2 * i);
  k(N, a, out);
  for (int i = 20000; i < N - 20000; ++i)
    bad |= out[i] != (float)(2 * i);
  g(M, b, sums);
  for (int i = 100; i < M - 100; ++i)
    for (int j = 100; j < 200; ++j)
      bad |= sums[i * 300 + j] != b[i - 100][j - 100] + b[i + 100][j + 100];
  h(100, c, more);
  for (int i = 0; i < 100; ++i)
    bad |= more[i] != 1;
  return bad;
}
#endif
