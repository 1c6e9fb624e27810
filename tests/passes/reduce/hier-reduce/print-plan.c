// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each kernel combines, a line a reduction. The module stays as it is.
//
// RUN: %device %s -o %t.ll
// RUN: opt -S %t.ll -o %t.before.ll
// RUN: opt -load-pass-plugin=%accx_plugin -S %t.ll -o %t.after.ll \
// RUN:   '-passes=print<hier-reduce>' 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=print-plan.c
// RUN: cmp %t.before.ll %t.after.ll

// CHECK: print-plan.c:[[#@LINE+6]]:{{.*}}: reduction over threads of 16 bytes: double float written as shuffles
// CHECK: print-plan.c:[[#@LINE+5]]:{{.*}}: reduction over teams of 16 bytes: double float written as shuffles
void sums(int n, double *x) {
  double s = 0;
  float m = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)              \
    reduction(max : m)
  for (int i = 0; i < n; i++) {
    s += x[i];
    m = x[i] > m ? x[i] : m;
  }
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    x[i] = s + m;
}

#pragma omp begin declare target
// CHECK: print-plan.c:[[#@LINE+3]]:{{.*}}: reduction is left to the device runtime: it is not part of a parallel region of a known kernel
double orphan(int n, const double *x) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
#pragma omp end declare target
