// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters of 64 bits are the grid's own; nothing is assumed of them.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK-COUNT-2: made a grid-stride loop
void wide(long n, float *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (long i = 0; i < n; i++)
    x[i] += 1;
}
void sizes(unsigned long n, float *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (unsigned long i = 0; i < n; i++)
    x[i] += 1;
}

// CHECK: define internal void @{{.*}}wide{{.*}}_omp_outlined_omp_outlined(
// CHECK: %last = load i64
// CHECK: select i1
// CHECK: icmp ult i64 %grid.iv
// CHECK-NOT: llvm.assume
// CHECK: define internal void @{{.*}}sizes{{.*}}_omp_outlined_omp_outlined(
// CHECK: %last = load i64
// CHECK-NOT: select
// CHECK: icmp ult i64 %grid.iv, %trip
