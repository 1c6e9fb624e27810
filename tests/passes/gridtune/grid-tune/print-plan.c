// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the pass finds and decides, a line each. The module stays as it is.
//
// RUN: %device %s -o %t.ll
// RUN: opt -load-pass-plugin=%accx_plugin -S %t.ll -o %t.in.ll \
// RUN:   '-passes=grid-loop,inline,function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,loop(loop-rotate),instcombine<no-verify-fixpoint>,simplifycfg)'
// RUN: opt -S %t.in.ll -o %t.before.ll
// RUN: opt -load-pass-plugin=%accx_plugin -S %t.in.ll -o %t.after.ll \
// RUN:   '-passes=print<grid-tune>' 2>&1 | FileCheck %s
// RUN: cmp %t.before.ll %t.after.ll

// CHECK: print-plan.c:[[#@LINE+8]]:1: a grid-stride loop of fewer than 2^31 iterations counts in 32 bits
// CHECK-NEXT: print-plan.c:[[#@LINE+7]]:1: 1 division of a grid-stride loop replaced by counting
// CHECK-NEXT: print-plan.c:[[#@LINE+6]]:1: numbers of iterations have 31 bits; 2 of their digits counted, 0 masks dropped
// CHECK-NEXT: print-plan.c:[[#@LINE+5]]:1: a grid-stride loop does 4 iterations at a time
// CHECK-NEXT: print-plan.c:[[#@LINE+4]]:1: 1 division of a grid-stride loop replaced by counting
// CHECK-NEXT: print-plan.c:[[#@LINE+3]]:1: numbers of iterations have 63 bits; 2 of their digits counted, 0 masks dropped
// CHECK-NEXT: print-plan.c:[[#@LINE+2]]:1: a grid-stride loop does 4 iterations at a time
void columns(int n, int m, const float *x, float *y) {
#pragma omp target teams distribute parallel for collapse(2) map(to : x[ : m]) \
    map(tofrom : y[ : n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i * m + j] += x[j];
}

// CHECK-NEXT: print-plan.c:[[#@LINE+6]]:1: addresses follow from the number of the iteration, if that is below 2^31
// CHECK-NEXT: print-plan.c:[[#@LINE+5]]:1: a grid-stride loop of fewer than 2^31 iterations counts in 32 bits
// CHECK-NEXT: print-plan.c:[[#@LINE+4]]:1: 1 address of a grid-stride loop follows from the number of the iteration
// CHECK-NEXT: print-plan.c:[[#@LINE+3]]:1: numbers of iterations have 31 bits; 0 of their digits counted, 0 masks dropped
// CHECK-NEXT: print-plan.c:[[#@LINE+2]]:1: a grid-stride loop does one iteration at a time: a loop is inside of it
void sums(int n, int m, const float *a, float *y) {
#pragma omp target teams distribute parallel for map(to : a[ : n * m])         \
    map(from : y[ : n])
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      s += a[j * n + i];
    y[i] = s;
  }
}
