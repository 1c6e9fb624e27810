// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What keeps a vector loop serial, each with a remark. (Strided accesses:
// simd.c; arrays of a worker: private-arrays.c.)
//
// RUN: %device %s | %simt-lanes 2>&1 | FileCheck %s

#pragma omp begin declare target
int omp_get_thread_num(void);
#pragma omp end declare target

// CHECK: refused.c:[[#@LINE+5]]:1: vector loop stays serial: it carries a value
void carried(int n, int m, int *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m])
  for (int i = 0; i < n; i++) {
    int s = 0;
#pragma omp simd
    for (int j = 0; j < m; j++) {
      s = s * 3 + a[i * m + j];
      a[i * m + j] = s;
    }
  }
}

// CHECK: refused.c:31:1: vector loop stays serial: code around it calls the runtime
void locked(int n, int m, int *a, int *c) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m],     \
                                                         c[0 : 1])
  for (int i = 0; i < n; i++) {
#pragma omp critical
    c[0] = c[0] * 3 + 1;
#pragma omp simd
    for (int j = 0; j < m; j++)
      a[i * m + j] += 1;
  }
}

// CHECK: refused.c:44:1: vector loop stays serial: a value of the last iteration
void last(int n, int m, int *a, int *c) {
  int l = 0;
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m], l)  \
    lastprivate(l)
  for (int i = 0; i < n; i++) {
    l = i;
#pragma omp simd
    for (int j = 0; j < m; j++)
      a[i * m + j] += 1;
  }
  c[0] = l;
}

// CHECK: refused.c:55:1: vector loop stays serial
void ordered(int n, int m, int *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n * m])
  for (int i = 0; i < n; i++)
#pragma omp simd
    for (int j = 0; j < m; j++) {
      a[i * m + j] += 1;
#pragma omp ordered simd
      a[0] += 1;
    }
}

// CHECK-NOT: lane.iv
