// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One iteration at a time, with the reason.
//
// RUN: %device %s | %tuned 2>&1 | FileCheck %s

int omp_get_thread_num(void);

// CHECK: coarsen-refused.c:[[@LINE+2]]:1: a grid-stride loop does one iteration at a time: its body may ask which thread runs it
void slots(int n, const int *x, int *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : 128])
  for (int i = 0; i < n; i++)
    y[omp_get_thread_num()] += x[i];
}
// CHECK: coarsen-refused.c:[[@LINE+2]]:1: a grid-stride loop does one iteration at a time: its body does more with memory than to load, then to store
void atomics(int n, const int *x, int *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : 16])
  for (int i = 0; i < n; i++)
#pragma omp atomic
    y[x[i] & 15] += 1;
}
// CHECK: coarsen-refused.c:[[@LINE+2]]:1: a grid-stride loop does one iteration at a time: its body does more with memory than to load, then to store
void after(int n, const int *x, int *y, int *z) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n], z[ : n])
  for (int i = 0; i < n; i++) {
    y[i] = 1;
    z[i] = x[i];
  }
}
// CHECK: coarsen-refused.c:[[@LINE+2]]:1: a grid-stride loop does one iteration at a time: a loop is inside of it
void inner(int n, int m, const int *x, int *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i] += x[j];
}
// CHECK-NOT: grid.main
