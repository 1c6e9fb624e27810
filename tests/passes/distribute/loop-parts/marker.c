// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No marker is left at any level, on any side. Without optimization there is no
// table.
//
// RUN: %gpu -O0 -emit-llvm %s | FileCheck %s --check-prefixes=CHECK,CHECK-NONE
// RUN: %cpu -O0 -emit-llvm %s | FileCheck %s --check-prefixes=CHECK,CHECK-NONE
// RUN: %gpu -O2 -emit-llvm %s | FileCheck %s --check-prefixes=CHECK,CHECK-TABLE
// RUN: %cpu -O2 -emit-llvm %s | FileCheck %s --check-prefixes=CHECK,CHECK-TABLE
// RUN: %plainclang -w -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu \
// RUN:   --offload-host-only -S -emit-llvm -o - -fplugin=%accx_plugin %s \
// RUN:   | FileCheck %s --check-prefixes=CHECK,CHECK-NONE
//
// CHECK-NONE-NOT: _accx_parts
// CHECK-TABLE: @__omp_offloading_{{.*}}_fill_l{{[0-9]+}}_accx_parts = weak_odr protected
// CHECK-NOT: __accx_marker_

void fill(int n, float *b) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for map(from : b[ : n])
  for (int i = 0; i < n; i++)
    b[i] = 1;
}
