// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies with conditions around loads and stores do several iterations at a
// time: the loads of all, under their conditions, before anything is computed.
//
// RUN: %device %s | %tuned 2>&1 | FileCheck %s

// CHECK: flatten.c:[[@LINE+3]]:1: conditions of a grid-stride loop are those of its accesses
// CHECK: flatten.c:[[@LINE+2]]:1: a grid-stride loop does 4 iterations at a time
void inner(int n, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++)
    if (i > 0 && i < n - 1)
      y[i] = x[i - 1] + x[i + 1];
}
// CHECK: flatten.c:[[@LINE+2]]:1: conditions of a grid-stride loop are those of its accesses
void neighbour(int n, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++) {
    float w = i > 0 ? x[i - 1] : 0.5f;
    y[i] = w * 3 + x[i];
  }
}
// What is loaded behind a store, long divisions under a condition, atomics, and
// what asks for its thread: as they are.
// CHECK: flatten.c:[[@LINE+2]]:1: a grid-stride loop does one iteration at a time: its body does more with memory than to load, then to store
void behind(int n, const float *x, float *y, float *z) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n], z[ : n])
  for (int i = 0; i < n; i++) {
    y[i] = 1;
    if (i > 5)
      z[i] = x[i];
  }
}
// CHECK: flatten.c:[[@LINE+2]]:1: a grid-stride loop does one iteration at a time: a condition guards what is not cheap, or may be noticed
void expensive(int n, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++)
    if (x[i] > 5)
      y[i] = x[i + 1] / x[i];
}
// CHECK: flatten.c:[[@LINE+2]]:1: a grid-stride loop does one iteration at a time: its body does more with memory than to load, then to store
void counts(int n, const float *x, int *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : 1])
  for (int i = 0; i < n; i++)
    if (x[i] > 5) {
#pragma omp atomic
      y[0] += 1;
    }
}
int omp_get_thread_num(void);
// CHECK: flatten.c:[[@LINE+2]]:1: a grid-stride loop does one iteration at a time: its body may ask which thread runs it
void asks(int n, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[ : n])             \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++)
    if (omp_get_thread_num() < 5)
      y[i] = x[i];
}

// CHECK: flatten.c:[[@LINE+2]]:1: a grid-stride loop does one iteration at a time: its body has branches other than by conditions
void chooses(int n, const int *x, float *y, const float *z) {
#pragma omp target teams distribute parallel for map(to : x[ : n], z[ : n])    \
    map(tofrom : y[ : n])
  for (int i = 0; i < n; i++)
    switch (x[i]) {
    case 1:
      y[i] = z[i];
      break;
    case 5:
      y[i] *= 2;
      break;
    case 7:
      y[i] += z[i + 1];
      break;
    case 11:
      y[i] -= z[i + 2];
    }
}
// CHECK-NOT: conditions

// CHECK-LABEL: define {{.*}}inner
// CHECK: grid.main{{.*}}:
// CHECK: asm "//
// CHECK-COUNT-8: load float
// CHECK-NOT: load
// CHECK: fadd
// CHECK: store float
// CHECK-LABEL: define {{.*}}neighbour
// CHECK: grid.main{{.*}}:
// CHECK: load float
// CHECK: phi float [ %{{.*}} ], [ 5.000000e-01, %grid.main{{.*}} ]
// CHECK-NOT: select i1 %{{.*}}, ptr %{{.*}}, ptr null
