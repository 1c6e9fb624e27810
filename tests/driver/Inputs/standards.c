/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   A program of every standard from C89 and C++98 on, with most directives in
   it, such that what they become is checked, too. */

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#define N 16
#define M 8
double g[N];
#pragma acc declare create(g)
struct pair {
  double *v;
  int n;
};
static double **rows(void) {
  int i;
  double **r = (double **)malloc(N * sizeof(double *));
  for (i = 0; i < N; ++i)
    r[i] = (double *)calloc(M, sizeof(double));
  return r;
}
#pragma acc routine vector
static void fill(double *p, int n) {
  int j;
#pragma acc loop vector
  for (j = 0; j < n; ++j)
    p[j] = j;
}
static double all(double a[N][M], double *b, double **r, struct pair p, int n) {
  int i, j, k;
  double sum = 0, most = 0, part[4];
  int count = 0, on = 0;
  for (k = 0; k < 4; ++k)
    part[k] = 0;
#pragma acc set device_num(0)
#pragma acc init
#pragma acc enter data create(b[0 : n]) copyin(p, p.v[0 : p.n]) async
#pragma acc wait
#pragma acc data copy(a[0 : N][0 : M]) copy(r[0 : N][0 : M]) present(b[0 : n])
  {
#pragma acc parallel loop gang collapse(2) reduction(+ : sum)                  \
    reduction(max : most) if (n > 2)
    for (i = 0; i < N; ++i)
      for (j = 0; j < M; ++j) {
        double t = a[i][j] * i;
        sum += t;
        if (t > most)
          most = t;
      }
#pragma acc parallel loop gang private(k) copy(part)
    for (i = 0; i < 4; ++i) {
      double x = 0;
#pragma acc loop vector reduction(+ : x)
      for (k = 0; k < M; ++k)
        x += a[i][k];
      part[i] = x;
    }
#pragma acc parallel loop tile(4, 4)
    for (i = 0; i < N; ++i)
      for (j = 0; j < M; ++j)
        a[i][j] += 1;
#pragma acc kernels
    {
      for (i = 0; i < n; ++i)
        b[i] = i;
#pragma acc loop independent
      for (i = 0; i < n; ++i)
        b[i] *= 2;
    }
#pragma acc parallel num_gangs(2) vector_length(32)
#pragma acc loop gang
    for (i = 0; i < N; ++i)
      fill(r[i], M);
#pragma acc parallel loop copy(count, on) present(p)
    for (i = 0; i < n; ++i) {
      if (i == 3)
        on = acc_on_device(acc_device_not_host);
      p.v[i] += 1;
#pragma acc atomic update
      count += i;
    }
#pragma acc serial present(g)
    for (i = 0; i < N; ++i)
      g[i] = i;
#pragma acc host_data use_device(b)
    {
      if (b == NULL)
        abort();
    }
#pragma acc update self(g, b[0 : n]) async(2) wait
#pragma acc wait(2)
  }
#pragma acc exit data copyout(b[0 : n], p.v[0 : p.n]) delete (p)finalize
  for (i = 0; i < N; ++i) {
    sum += g[i] + r[i][3] + a[i][2];
    if (i < n)
      sum += b[i] + p.v[i];
  }
  return sum + most + part[0] + part[1] + part[2] + part[3] + count +
         (on ? 1e6 : 0);
}
int main(void) {
  static double a[N][M], b[N];
  struct pair p;
  int i, j;
  double s;
  for (i = 0; i < N; ++i)
    for (j = 0; j < M; ++j)
      a[i][j] = i + j;
  p.n = N;
  p.v = (double *)calloc(N, sizeof(double));
  s = all(a, b, rows(), p, N);
  printf("sum %g\n", s);
  return 0;
}
