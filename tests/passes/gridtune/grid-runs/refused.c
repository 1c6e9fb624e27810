// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that keep their strides: a clause chooses the blocks, a body asks for
// its thread, a value of the last iteration has to be the last thread's, a sum
// wants blocks that stay, and a kernel has other loops.
//
// RUN: %device %s | %tuned -pass-remarks=grid-runs 2>&1 \
// RUN:   | FileCheck --implicit-check-not="blocks get neighbouring" %s
int omp_get_thread_num(void);

// CHECK: refused.c:[[@LINE+2]]:1: blocks get neighbouring iterations of a grid-stride loop where it is long
void free_grid(int n, const float *a, float *c) {
#pragma omp target teams distribute parallel for map(to : a[ : n])             \
    map(tofrom : c[ : n])
  for (int i = 0; i < n; i++)
    c[i] = a[i];
}
void teams(int n, const float *a, float *c) {
#pragma omp target teams distribute parallel for num_teams(40)                 \
    map(to : a[ : n]) map(tofrom : c[ : n])
  for (int i = 0; i < n; i++)
    c[i] = a[i];
}
void observed(int n, int *c) {
#pragma omp target teams distribute parallel for map(tofrom : c[ : n])
  for (int i = 0; i < n; i++)
    c[i] = omp_get_thread_num();
}
int last(int n, const int *a) {
  int x = 0;
#pragma omp target teams distribute parallel for lastprivate(x)                \
    map(to : a[ : n])
  for (int i = 0; i < n; i++)
    x = a[i];
  return x;
}
float sum(int n, const float *a) {
  float x = 0;
#pragma omp target teams distribute parallel for reduction(+ : x)              \
    map(to : a[ : n])
  for (int i = 0; i < n; i++)
    x += a[i];
  return x;
}
// CHECK: refused.c:[[@LINE+2]]:1: blocks get neighbouring iterations of a grid-stride loop where it is long
void after(int n, const float *a, float *c) {
#pragma omp target teams distribute parallel for map(to : a[ : n])             \
    map(tofrom : c[ : n])
  for (int i = 0; i < n; i++)
    c[i] += a[i];
}
