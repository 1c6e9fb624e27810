// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What neighbouring iterations load and store becomes accesses of 16 bytes: of
// four doubles two, and of two arrays that may be the same the one's stores do
// not come between the other's.
//
// RUN: %device %s | %tuned -o %t.ll 2>/dev/null
// RUN: FileCheck %s --input-file=%t.ll

// CHECK-LABEL: define {{.*}}swap_l
// CHECK: {{^}}grid.main:
// CHECK: %[[A0:[0-9]+]] = load double, {{.*}}, align 16,
// CHECK: %[[B0:[0-9]+]] = load double, {{.*}}, align 16,
// CHECK: %[[A1:[0-9]+]] = load double, {{.*}}, align 8,
// CHECK: %[[B1:[0-9]+]] = load double, {{.*}}, align 8,
// CHECK: %[[A2:[0-9]+]] = load double, {{.*}}, align 16,
// CHECK: %[[B2:[0-9]+]] = load double, {{.*}}, align 16,
// CHECK: %[[A3:[0-9]+]] = load double, {{.*}}, align 8,
// CHECK: %[[B3:[0-9]+]] = load double, {{.*}}, align 8,
// CHECK: store double %[[B0]], {{.*}}, align 16,
// CHECK: store double %[[B1]], {{.*}}, align 8,
// CHECK: store double %[[B2]], {{.*}}, align 16,
// CHECK: store double %[[B3]], {{.*}}, align 8,
// CHECK: store double %[[A0]], {{.*}}, align 16,
// CHECK: store double %[[A1]], {{.*}}, align 8,
// CHECK: store double %[[A2]], {{.*}}, align 16,
// CHECK: store double %[[A3]], {{.*}}, align 8,
// CHECK-NOT: store
// CHECK: br i1
void swap(long n, double *a, double *b) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n], b[ : n])
  for (long i = 0; i < n; i++) {
    double t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}
