// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A region that no other one follows before its wait gains nothing, and its
// code stays as it is.
//
// RUN: %hostcode -O2 %s | FileCheck %s
// RUN: %hostcode -O2 -Rpass-missed=late-waits %s 2>&1 >%t.ll | FileCheck %s --check-prefix=CHECK-REMARK

// CHECK-NOT: settle
// CHECK-NOT: 4294967296
// CHECK-REMARK: alone.c:[[#@LINE+4]]:{{.*}}remark: the region is waited for where it stands, before the end of the function in line [[#@LINE+7]]: no other region comes before the wait
// CHECK-REMARK: alone.c:[[#@LINE+11]]:{{.*}}remark: the region is waited for where it stands, before a call of 'g' in line [[#@LINE+14]]: no other region comes before the wait
// CHECK-REMARK-NOT: remark
void one(double *a, int n) {
#pragma omp target teams distribute parallel for map(a[ : n])
  for (int i = 0; i < n; ++i)
    a[i] += 1;
}

void g(void);
void calls(double *a, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
#pragma omp target teams distribute parallel for map(a[ : n])
    for (int i = 0; i < n; ++i)
      a[i] += 1;
    g();
  }
}
