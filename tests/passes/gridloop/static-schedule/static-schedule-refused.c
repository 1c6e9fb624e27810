// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that keep their schedule: iterations in order must go out in order, and
// a program that sets schedules may count on the one that it set.
//
// RUN: %device %s > %t.ll
// RUN: %static-schedule %t.ll 2>&1 | FileCheck %s

void omp_set_schedule(int kind, int chunk);

// CHECK: static-schedule-refused.c:[[@LINE+3]]:1: loop keeps a schedule that LLVM 19's device runtime may fail at: it has iterations in order
void inOrder(int n, float *x, float *sum) {
#pragma omp target map(tofrom : x[ : n], sum[ : 1])
#pragma omp parallel for schedule(dynamic) ordered
  for (int i = 0; i < n; i++) {
    x[i] += 1;
#pragma omp ordered
    sum[0] += x[i];
  }
}

// CHECK: static-schedule-refused.c:[[@LINE+5]]:1: loop keeps a schedule that LLVM 19's device runtime may fail at: the program may set a static schedule and rely on it
void set(int n, float *x) {
#pragma omp target map(tofrom : x[ : n])
  {
    omp_set_schedule(1, 4);
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < n; i++)
      x[i] += 1;
  }
}
// CHECK: call void @__kmpc_dispatch_init_4({{.*}}, i32 1073741891,
// CHECK: call void @__kmpc_dispatch_init_4({{.*}}, i32 1073741861,
