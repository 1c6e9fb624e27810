// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A write under a condition that work-items disagree on is a stop for all, and
// the condition is asked again behind it. The array that is not written has no
// copy.
//
// RUN: %device %s | %plan 2>&1 >/dev/null | FileCheck %s
// RUN: %device %s | %loops 2>&1 | FileCheck %s --check-prefix=CHECK-REMARK
// RUN: %host-device -O2 %s -o - | FileCheck %s --check-prefix=CHECK-IR

// CHECK: block 64
// CHECK-NEXT: copy of {{.*}}plan.c:[[#@LINE+14]]: 'a', 1 dimension of 4 bytes
// CHECK-NEXT: stop: begin, all
// CHECK-NEXT: stop: write, all
// CHECK-NEXT: stop: written, all
// CHECK-NOT: stop

// CHECK-REMARK: remark: {{.*}}'a': blocks of 64 iterations run together
// CHECK-REMARK-NOT: __accx_marker

// CHECK-IR-NOT: __accx_marker
// CHECK-IR-NOT: __accx_smc_unavailable
void f(int n, float *restrict a, float *restrict c, float *b) {
#pragma omp target teams distribute parallel for map(a[ : n], b[ : n], c[ : n])
  for (int i = 0; i < n; ++i)
#pragma accx smc FETCH_CHANNEL(a[i : 1 : 1], c[i : 0 : 0]) block(64)
  {
    if (i > 0 && i < n - 1)
      a[i] = a[i - 1] + a[i + 1] + c[i];
    b[i] = a[i];
  }
}
