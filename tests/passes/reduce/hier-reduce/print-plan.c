// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each kernel combines, a line a reduction; the module stays as it is.
//
// RUN: %device %s -o %t.ll
// RUN: opt -load-pass-plugin=%accx_plugin '-passes=print<reduction-plan>' \
// RUN:   -disable-output %t.ll 2>&1 | FileCheck %s --match-full-lines
//
//      CHECK:kernel __omp_offloading_{{.*}}_sums_l17:
// CHECK-NEXT:  reduction over threads of 16 bytes: double float
// CHECK-NEXT:  reduction over teams of 16 bytes: double float
// CHECK-NEXT:kernel __omp_offloading_{{.*}}_sums_l23:
//  CHECK-NOT:{{.*}}reduction{{.*}}

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
