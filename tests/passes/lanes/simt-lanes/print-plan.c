// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the pass finds and decides, a line each. The module stays as it is.
//
// RUN: %device %s -o %t.ll
// RUN: opt -load-pass-plugin=%plugin -S %t.ll -o %t.in.ll \
// RUN:   -passes=accx-mark-lanes,accx-strip-markers,grid-loop
// RUN: opt -S %t.in.ll -o %t.before.ll
// RUN: opt -load-pass-plugin=%plugin -S %t.in.ll -o %t.after.ll \
// RUN:   '-passes=print<simt-lanes>' 2>&1 | FileCheck %s
// RUN: cmp %t.before.ll %t.after.ll

// CHECK: print-plan.c:[[#@LINE+7]]:13: vector loop runs across 32 lanes
// CHECK-NEXT: print-plan.c:[[#@LINE+2]]:13: workers of the grid have 32 lanes, 0 values handed out; lane 0 alone: 1 piece of code, 1 with memory of others; vector loop with 1 reduction{{$}}
void rows(int n, int m, const float *a, float *y) {
#pragma acc parallel loop gang worker copyin(a[ : n * m]) copyout(y[ : n])
  for (int i = 0; i < n; i++) {
    float s = 0;
    // The sum is the worker's.
#pragma acc loop vector reduction(+ : s)
    for (int j = 0; j < m; j++)
      s += a[i * m + j];
    y[i] = s;
  }
}

// CHECK-NEXT: print-plan.c:[[#@LINE+6]]:1: vector loop stays serial: it carries a value that is no recognized reduction
// CHECK-NOT: print-plan.c
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
