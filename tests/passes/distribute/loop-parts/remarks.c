// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What decides where iterations run, what keeps a loop on one device, and what
// devices read from one another.
//
// RUN: %gpu -O2 -gline-tables-only -Rpass=accx-dist -Rpass-missed=accx-dist %s -o %t.s 2>&1 \
// RUN:   | FileCheck %s
// RUN: %cpu -O2 -gline-tables-only -Rpass=accx-dist -Rpass-missed=accx-dist %s -o %t.s 2>&1 \
// RUN:   | FileCheck %s

// CHECK: remarks.c:[[@LINE+8]]:{{.*}} run where this write goes
// CHECK-NOT: other steps
// CHECK: remarks.c:[[@LINE+13]]:{{.*}} run where this write goes
// CHECK: remarks.c:[[@LINE+12]]:{{.*}} moves in other steps than its writes
void straight(long n, const double *a, float *b) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for map(to : a[ : n]) map(b[ : n])
  for (long i = 0; i < n; i++)
    b[i] = a[i];
}
void transposed(long n, const float *a, float *b) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      b[i * n + j] = a[j * n + i];
}
// CHECK: remarks.c:[[@LINE+5]]:{{.*}} run where this read comes from
void scattered(int n, const int *x, float *b) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    b[x[x[i] & 3]] = 1;
}
#pragma omp declare target
extern int shown;
#pragma omp end declare target
// CHECK: remarks.c:[[@LINE+5]]:{{.*}} runs on one device
void global(int n) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    shown = i;
}
