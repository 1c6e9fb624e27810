// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges up to where the next one begins, or to the end of the array, are one
// loop, of which there is one remainder; so are rows that follow each other.
//
// RUN: %plainclang -O2 -fpass-plugin=%accx_plugin -Rpass=simd-join -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.ll
// REMARK: ranges.c:[[#@LINE+4]]:{{.*}}ranges that follow each other
// CHECK-LABEL: define {{.*}}@ranges(
// CHECK: call i128 @llvm.smin.i128(
void ranges(int *c, const int *a, int items, int each, int n) {
  for (int i = 0; i < items; i++)
    for (int k = i * each; k < (i + 1) * each && k < n; k++)
      c[k] = a[k] * 2;
}

// REMARK: ranges.c:[[#@LINE+4]]:{{.*}}ranges that follow each other
// CHECK-LABEL: define {{.*}}@rows(
// CHECK: mul {{.*}}i128
void rows(double *c, const double *a, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      c[i * m + j] = a[i * m + j] * 2;
}
