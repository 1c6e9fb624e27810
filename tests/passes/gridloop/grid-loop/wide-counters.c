// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters of collapsed loops are truncated from 64 bits: indices made of them
// and constants take the wide number, so that addresses of neighbours come from
// one another. What a program itself truncates is extended as ever.
//
// RUN: %device %s > %t.ll
// RUN: %grid-loop %t.ll 2> /dev/null | FileCheck %s
// RUN: %tuned %t.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECK-TUNED

// CHECK-LABEL: define internal void @{{.*}}rows{{.*}}_omp_outlined_omp_outlined(
// CHECK: trunc i64 %[[I:[0-9a-z.]+]] to i32
// CHECK: trunc i64 %[[J:[0-9a-z.]+]] to i32
// CHECK-NOT: sext i32
// CHECK: add nsw i64 %[[I]], -1
// CHECK-NOT: sext i32
// CHECK: add nsw i64 %[[J]], 3
// CHECK-NOT: sext i32
// CHECK: {{^}}}
// CHECK-TUNED: wide-counters.c:[[@LINE+4]]:1: 2 addresses of a grid-stride loop computed from their neighbours'
void rows(int n, int m, float *p, float *q) {
  float(*a)[m] = (float(*)[m])p;
  float(*b)[m] = (float(*)[m])q;
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 1; i < n; i++)
    for (int j = n; j > 3; j--)
      b[i][j] = a[i - 1][j] + a[i][1 + (j + 2)] + a[i][j];
}

// A product of counters, an index that may wrap, and what a program cuts off.
// CHECK-LABEL: define internal void @{{.*}}others{{.*}}_omp_outlined_omp_outlined(
// CHECK: sext i32
// CHECK: sext i32
// CHECK: sext i32
// CHECK: {{^}}}
void others(int n, unsigned m, long k, float *p, float *q) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++) {
      int cut = (int)(k + i);
      q[i * n + j] = p[(int)(m + i)] + p[cut - 1];
    }
}
