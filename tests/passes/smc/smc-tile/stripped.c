// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hints that no pass takes leave nothing behind.
//
// RUN: %accxcc-device -O0 %s -o - | FileCheck %s
// RUN: %accxcc-device -O2 -mllvm -accx-smc-tile=0 %s -o - | FileCheck %s
// RUN: %device %s | %smc-tile 2>/dev/null | FileCheck %s --check-prefix=CHECK-TILED

// CHECK-NOT: __accx_marker
// CHECK-NOT: stackmap
// CHECK-NOT: addrspace(3) global [{{.*}}smc
// CHECK-TILED: internal addrspace(3) global
// CHECK-TILED-NOT: __accx_marker
void f(int n, const float *a, float *b) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
#pragma accx smc FETCH_ONLY(a[i : 0 : 0])
    b[i] = a[i];
}
